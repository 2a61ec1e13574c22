"""Find the posts of a thread on a page: similar elements with a name, a time and a text."""
