"""Footnotes, side notes and what refers to them."""
