"""Read pages from folders and files."""
