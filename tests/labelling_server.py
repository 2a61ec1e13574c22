"""`bonmun inspect FOLDER --gold FILE --no-open` with a fake training that takes no time, for the tests of labelling.

python tests/labelling_server.py FOLDER FILE

This file is also the fake training: it reports progress, and writes the default weights as the model.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import bonmun
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.serve.annotation_routes import make_annotation_router
from bonmun.app.serve.http.server import RunningService, run_server
from bonmun.app.serve.inspector_routes import make_inspector_router
from bonmun.app.serve.settings import ServiceOptions
from bonmun.app.serve.training import TrainingProcess
from bonmun.lab.annotate.session import AnnotationSession
from bonmun.lab.gold.datasets import read_dataset
from bonmun.options import DEFAULTS

TRAIN = "train"


def serve(folder: str, gold: Path) -> None:
    """Serve a folder of pages."""
    open_pages = open_inputs([folder], DEFAULTS)
    with AnnotationSession(open_pages, gold) as session:
        training = TrainingProcess(session.gold.path, gold.with_suffix(".npz"), (sys.executable, __file__, TRAIN))
        routers = [
            make_inspector_router(open_pages, is_labelled=True),
            make_annotation_router(open_pages, session, training),
        ]
        run_server(ServiceOptions(port=0, workers=2, log_level="error"), routers, announce)


def announce(running: RunningService) -> None:
    """Print the URL."""
    print(running.inspector_url, flush=True)


def train(gold: Path, output: Path) -> None:
    """Print what `bonmun train GOLD -o FILE --format json` would print."""
    pages = [example.id for example in read_dataset(gold)]
    sys.stderr.write("bonmun: reading\n\r\x1b[Kbonmun: 1 of 2\rbonmun: 2 of 2\n")
    if any("fails" in page for page in pages):
        sys.exit("bonmun: Only 1 page is labelled: label 5 or more.")
    shutil.copy(Path(bonmun.__file__).parent / "models" / "network" / "default.npz", output)
    rows = [{"id": page, "site": page, "before": 0.8, "after": 0.9} for page in pages]
    print(json.dumps({"pages": rows, "before": 0.8, "after": 0.9, "is_better": True, "why": "It is kept."}))


if __name__ == "__main__":
    if sys.argv[1] == TRAIN:
        train(Path(sys.argv[2]), Path(sys.argv[4]))
    else:
        serve(sys.argv[1], Path(sys.argv[2]))
