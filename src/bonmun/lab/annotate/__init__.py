"""Manual labelling: gold files, the queue of pages, and agreement between annotators."""
