"""Fetch and render one URL."""
