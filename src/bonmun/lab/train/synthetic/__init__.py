"""Made-up pages: the words, the parts and the shapes that they are put together from."""
