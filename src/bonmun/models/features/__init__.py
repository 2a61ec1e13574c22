"""Features of pages, the input of the models."""
