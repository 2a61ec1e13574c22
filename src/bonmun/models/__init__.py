"""The networks of the trained methods: their features, their output, and the decisions based on it."""
