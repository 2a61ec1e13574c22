"""A person's answers: labelled sets, examples, folds, and gold texts aligned with their pages."""
