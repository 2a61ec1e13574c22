"""`bonmun corpus`, `crawl` and `spark`."""
