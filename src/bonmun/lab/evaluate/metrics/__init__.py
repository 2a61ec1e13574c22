"""Metrics that compare the answer of a system with the gold or the page."""
