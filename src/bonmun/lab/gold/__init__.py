"""Labelled sets, examples, folds, and the alignment of gold texts with their pages."""
