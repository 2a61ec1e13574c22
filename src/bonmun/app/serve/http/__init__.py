"""The HTTP server: requests, limits, errors, logs."""
