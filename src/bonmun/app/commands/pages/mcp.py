"""`bonmun mcp`: serve assistants over stdio (Model Context Protocol)."""

from __future__ import annotations

from bonmun.app.commands.pages.serve import check_model
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import stoppable, wrong_use
from bonmun.app.serve.settings import ServiceOptions

__all__ = ["mcp_command"]


@take_settings(
    ServiceOptions,
    into="settings",
    only="fetch allow_private render network workers seconds memory_mb max_bytes model rules",
    defaults={"workers": 1},
)
def mcp_command(settings: ServiceOptions) -> None:
    """Let an assistant read pages over stdin and stdout (MCP): text in parts, outline, search, links and objects."""
    with wrong_use(), stoppable("the assistant gets no more answers."):
        from bonmun.app.serve.mcp import run_mcp_server

        check_model(settings.model)
        run_mcp_server(settings)
