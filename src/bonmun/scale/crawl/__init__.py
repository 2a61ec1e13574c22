"""Crawl websites into WARC files: frontier, fetching, link discovery and archiving."""
