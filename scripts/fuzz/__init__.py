"""Pages that nobody would write, and what must hold for every one of them: `python -m scripts.fuzz`."""
