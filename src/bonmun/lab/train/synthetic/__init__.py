"""Synthetic pages for training: words, parts and page shapes."""
