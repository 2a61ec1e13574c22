"""Chunks of a document for search and embedding."""
