"""Find URLs in pages, feeds and sitemaps."""
