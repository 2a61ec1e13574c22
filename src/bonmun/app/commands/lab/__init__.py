"""`bonmun bench`, `train`, `gold` and `agreement`."""
