"""A fuzzer: hostile pages, and the checks that every page must pass. Run it with `python -m scripts.fuzz`."""
