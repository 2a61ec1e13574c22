"""Recipes: from markup and from the visible page."""
