"""Write src/bonmun/models/network/default.bin: default.npz packed for the kernel.

.venv/bin/python -m scripts.make.packed_network
"""

from __future__ import annotations

from pathlib import Path

from bonmun.models.network.labeller import default_network
from bonmun.models.network.packed import DEFAULT_FILE
from bonmun.models.network.packing import pack_network

FILE = Path(__file__).parents[2] / "src" / "bonmun" / "models" / "network" / DEFAULT_FILE

if __name__ == "__main__":
    FILE.write_bytes(pack_network(default_network()))
