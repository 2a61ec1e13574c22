"""`bonmun train` as a process of its own, for the page that starts it: how far it is, and what came of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Training"]

State = Literal["idle", "running", "done", "failed", "stopped"]

COMMAND = (sys.executable, "-m", "bonmun", "train")
KEPT_LINES = 40  # of what the process says
LINE_CHARS = 300
READ_BYTES = 65_536
RESULT_BYTES = 50_000_000
STOP_SECONDS = 5.0  # in which the process may end by itself
LINE_END = re.compile(r"[\r\n]+")
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours, and what clears a line


class Training:
    """One training at a time, on a gold file; `command` is what is started, with its arguments behind it."""

    def __init__(self, gold: Path, model: Path, command: Sequence[str] = COMMAND) -> None:
        self.gold = gold
        self.model = model
        self.command = command
        self.state: State = "idle"
        self.lines: list[str] = []
        self.result: dict[str, Any] | None = None  # what `train --format json` printed
        self.started = self.ended = 0.0
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Where it stands, as plain values."""
        now = monotonic() if self.state == "running" else self.ended
        return {
            "state": self.state,
            "lines": self.lines[-KEPT_LINES:],
            "seconds": round(now - self.started, 1),
            "result": self.result,
            "model": self.model.name if self.model.is_file() else None,
        }

    async def start(self) -> None:
        """Start it; BadConfig if it runs already, or if nothing is labelled."""
        if self.state == "running":
            raise BadConfig("The training runs already: wait for its end, or stop it.")
        if not self.gold.is_file():
            raise BadConfig(f"{self.gold.name} holds no page yet: finish some pages first.")
        self.state, self.lines, self.result, self.started = "running", [], None, monotonic()
        arguments = (*self.command, str(self.gold), "-o", str(self.model), "--format", "json")
        try:
            self._process = await asyncio.create_subprocess_exec(
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as problem:
            self._end("failed", f"The training cannot be started: {problem.strerror}.")
            return
        self._watching = asyncio.create_task(self._watch(self._process))

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Hear what the process says until its end."""
        assert process.stdout is not None
        assert process.stderr is not None
        said, _ = await asyncio.gather(_read(process.stdout), self._hear(process.stderr))
        status = await process.wait()
        if self.state == "stopped":
            self._end("stopped", "Stopped; nothing was written.")
            return
        with suppress(ValueError, RecursionError):
            result = json.loads(said)
            if status == 0 and isinstance(result, dict):
                self.result = result
        if self.result is not None:
            self._end("done")
        else:
            self._end("failed", "" if self.lines else f"The training ended with {status} and said nothing.")

    async def _hear(self, stream: asyncio.StreamReader) -> None:
        rest = ""
        while data := await stream.read(READ_BYTES):
            *lines, rest = LINE_END.split(rest + data.decode("utf-8", "replace"))
            rest = rest[-READ_BYTES:]
            self._add(*lines)
        self._add(rest)

    def _add(self, *lines: str) -> None:
        told = (CODES.sub("", line).strip()[:LINE_CHARS] for line in lines)
        self.lines = [*self.lines, *(line for line in told if line)][-KEPT_LINES:]

    def _end(self, state: State, says: str = "") -> None:
        self._add(says)
        self.state, self.ended, self._process = state, monotonic(), None

    async def stop(self) -> None:
        """End the process and all that it has started, if it runs."""
        process, watching = self._process, self._watching
        if process is None or watching is None:
            return
        self.state = "stopped"
        for way in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, way)
            await asyncio.wait({watching}, timeout=STOP_SECONDS)
            if watching.done():
                return


async def _read(stream: asyncio.StreamReader) -> bytes:
    """All of a stream, up to a bound; what is over it is read and forgotten."""
    parts: list[bytes] = []
    size = 0
    while data := await stream.read(READ_BYTES):
        size += len(data)
        if size <= RESULT_BYTES:
            parts.append(data)
    return b"".join(parts)
