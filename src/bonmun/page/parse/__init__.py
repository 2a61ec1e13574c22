"""Bytes to columns: decoding, the walk over the tree, and what its elements and leaves are."""
