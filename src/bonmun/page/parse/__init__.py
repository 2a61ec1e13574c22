"""From bytes to columns: decode a page, walk its tree, and classify its elements and leaves."""
