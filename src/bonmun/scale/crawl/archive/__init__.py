"""Write WARC files, their index and the log."""
