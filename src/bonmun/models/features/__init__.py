"""What the models read of a page, as numbers."""
