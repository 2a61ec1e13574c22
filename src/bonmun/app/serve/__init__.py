"""All of bonmun over HTTP, and for assistants."""
