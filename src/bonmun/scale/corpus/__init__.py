"""Process many pages on one machine: read sources, count texts, extract documents, mark duplicates."""
