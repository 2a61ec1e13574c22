"""Footnotes and side notes, and the references to them."""
