"""Texts by themselves: words, sentences, n-grams, and how they are shown on a terminal."""
