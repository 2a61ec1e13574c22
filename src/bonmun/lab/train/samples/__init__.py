"""Labelled pages as training samples."""
