"""Functions on plain text: scripts, words, sentences, n-grams, fingerprints, URLs, terminal output."""
