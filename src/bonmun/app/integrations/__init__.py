"""Adapters for other frameworks: one module each, which imports the framework and is never imported by bonmun."""
