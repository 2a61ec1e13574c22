"""Texts by themselves: scripts, words, sentences, n-grams, what is readable, and how it looks on a terminal."""
