"""A service with jobs that sleep, use up memory or die. Argument: the settings as JSON.

It has no reserve of child processes, so jobs never give way to others; test_long_jobs.py tests that.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

from fastapi import APIRouter, Request

from bonmun.app.serve import app
from bonmun.app.serve.http.server import RunningService, run_server
from bonmun.app.serve.settings import ServiceOptions

router = APIRouter(prefix="/odd")


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def use_memory() -> None:
    held = [bytearray(50_000_000) for _ in range(1_000)]
    raise AssertionError(len(held))


def fail() -> None:
    raise ZeroDivisionError("secret of the page".upper())


@router.post("/sleep")
async def ask_sleep(request: Request, seconds: float) -> dict[str, Any]:
    return {"pid": await request.app.state.workers.run(sleep, seconds)}


@router.post("/{what}")
async def ask_other(request: Request, what: str) -> None:
    await request.app.state.workers.run({"die": die, "memory": use_memory, "fail": fail}[what])


def announce(running: RunningService) -> None:
    print(f"listening at {running.url}", file=sys.stderr, flush=True)
    print(running.key, flush=True)


if __name__ == "__main__":
    app.RESERVE = 0  # type: ignore[attr-defined] # imported there
    run_server(ServiceOptions(**json.loads(sys.argv[1])), [router], announce)
