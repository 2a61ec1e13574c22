"""Many pages: download, render, crawl, corpora, Spark."""
