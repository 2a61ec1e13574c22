"""Measure the quality and speed of methods and peers on labelled sets."""
