"""The measured systems: our methods, peers, and the oracle."""
