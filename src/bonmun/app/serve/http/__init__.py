"""The HTTP server: requests, access control, limits, errors and logs."""
