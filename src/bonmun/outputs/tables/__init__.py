"""Data tables of a page."""
