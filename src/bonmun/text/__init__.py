"""Texts by themselves: what a reader sees of them, scripts, words, sentences, n-grams, and how a text is shown on a terminal."""
