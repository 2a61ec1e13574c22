"""Labelled pages: gold, evaluation, training, annotation."""
