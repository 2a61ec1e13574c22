"""`bonmun mcp`: pages for assistants, over stdio."""

from __future__ import annotations

from bonmun.app.commands.pages.serve import MEGABYTE, Fetch, Memory, Model, Processes, check_model
from bonmun.app.commands.shared.arguments import MAX_BYTES, AllowPrivate, MaxPageBytes, PageSeconds
from bonmun.app.commands.shared.shell import stoppable, wrong_use

__all__ = ["mcp_command"]


def mcp_command(
    fetch: Fetch = False,
    allow_private: AllowPrivate = False,
    workers: Processes = 1,
    seconds: PageSeconds = 30.0,
    memory: Memory = 2_000,
    max_bytes: MaxPageBytes = MAX_BYTES,
    model: Model = None,
) -> None:
    """Let an assistant read pages: the tools extract, compare and explain, over stdin and stdout (MCP)."""
    with wrong_use(), stoppable("the assistant is not answered any more."):
        from bonmun.app.serve.mcp import run_mcp_server
        from bonmun.app.serve.settings import Settings

        settings = Settings(
            workers=workers,
            seconds=seconds,
            memory=memory * MEGABYTE,
            max_bytes=max_bytes,
            fetch=fetch,
            allow_private=allow_private,
            model=model,
        )
        check_model(model)
        run_mcp_server(settings)
