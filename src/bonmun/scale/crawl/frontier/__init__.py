"""Which URLs to fetch, and when."""
