"""Decide which URLs to fetch, and when."""
