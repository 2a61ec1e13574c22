"""From addresses to a collection of pages: what to fetch, how, and what is kept of it."""
