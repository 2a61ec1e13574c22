"""`bonmun train` in a child process that the inspector starts, with its progress and result."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from bonmun.errors import BadConfig
from bonmun.work.programs import python_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["TrainingProcess"]

State = Literal["idle", "running", "done", "failed", "stopped"]

COMMAND = (*python_command("bonmun"), "train")
MAX_LINES = 40  # of output that are kept
MAX_LINE_CHARS = 300
READ_BYTES = 65_536
MAX_RESULT_BYTES = 50_000_000
STOP_SECONDS = 5.0  # between SIGTERM and SIGKILL
LINE_END = re.compile(r"[\r\n]+")
ANSI_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours and control sequences


class TrainingProcess:
    """Training on a gold file in a child process, one at a time; the arguments are appended to `command`."""

    def __init__(self, gold: Path, model: Path, command: Sequence[str] = COMMAND) -> None:
        self.gold = gold
        self.model = model
        self.command = command
        self.state: State = "idle"
        self.lines: list[str] = []
        self.result: dict[str, Any] | None = None  # the output of `train --format json`
        self.started = self.ended = 0.0
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()  # held while the process is started or stopped

    def to_dict(self) -> dict[str, Any]:
        """Return the current status as plain values."""
        now = monotonic() if self.state == "running" else self.ended
        return {
            "state": self.state,
            "lines": self.lines[-MAX_LINES:],
            "seconds": round(now - self.started, 1),
            "result": self.result,
            "model": self.model.name if self.model.is_file() else None,
        }

    async def start(self) -> None:
        """Start the training. Raises BadConfig if it is already running, or if no page is labelled."""
        async with self._changing:
            await self._start()

    async def _start(self) -> None:
        if self.state == "running":
            raise BadConfig("The training is already running: wait until it ends, or stop it.")
        if not self.gold.is_file():
            raise BadConfig(f"{self.gold.name} has no pages yet: finish some pages first.")
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
            self._end("failed", f"The training could not be started: {problem.strerror}.")
            return
        self._watching = asyncio.create_task(self._watch(self._process))

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Read the output of the process until it ends."""
        assert process.stdout is not None
        assert process.stderr is not None
        output, _ = await asyncio.gather(_read(process.stdout), self._read_lines(process.stderr))
        status = await process.wait()
        if self.state == "stopped":
            self._end("stopped", "Stopped; nothing was written.")
            return
        with suppress(ValueError, RecursionError):
            result = json.loads(output)
            if status == 0 and isinstance(result, dict):
                self.result = result
        if self.result is not None:
            self._end("done")
        else:
            self._end("failed", "" if self.lines else f"The training ended with status {status} and no output.")

    async def _read_lines(self, stream: asyncio.StreamReader) -> None:
        rest = ""
        while data := await stream.read(READ_BYTES):
            *lines, rest = LINE_END.split(rest + data.decode("utf-8", "replace"))
            rest = rest[-READ_BYTES:]
            self._add(*lines)
        self._add(rest)

    def _add(self, *lines: str) -> None:
        cleaned = (ANSI_CODES.sub("", line).strip()[:MAX_LINE_CHARS] for line in lines)
        self.lines = [*self.lines, *(line for line in cleaned if line)][-MAX_LINES:]

    def _end(self, state: State, message: str = "") -> None:
        self._add(message)
        self.state, self.ended, self._process = state, monotonic(), None

    async def stop(self) -> None:
        """Stop the process and its child processes, if it is running."""
        async with self._changing:
            await self._stop()

    async def _stop(self) -> None:
        process, watching = self._process, self._watching
        if process is None or watching is None:
            return
        self.state = "stopped"
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            await asyncio.wait({watching}, timeout=STOP_SECONDS)
            if watching.done():
                return


async def _read(stream: asyncio.StreamReader) -> bytes:
    """Read a stream to its end; return up to MAX_RESULT_BYTES of it."""
    parts: list[bytes] = []
    size = 0
    while data := await stream.read(READ_BYTES):
        size += len(data)
        if size <= MAX_RESULT_BYTES:
            parts.append(data)
    return b"".join(parts)
