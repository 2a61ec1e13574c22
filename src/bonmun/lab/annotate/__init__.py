"""People's labels: gold files, what to label next, how far people agree."""
