"""`bonmun inspect`, `render`, `report`, `serve` and `mcp`."""
