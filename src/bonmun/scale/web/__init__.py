"""Download pages."""
