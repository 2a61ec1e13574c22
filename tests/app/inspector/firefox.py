"""Firefox by Marionette, the protocol that is built into it: JSON messages over a TCP connection to loopback.

Playwright drives only its own build of Firefox, which cannot be installed everywhere; this drives the system's.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Firefox", "find_firefox", "open_firefox"]

START_SECONDS = 60.0
ANSWER_SECONDS = 60.0
# Nothing but loopback is reached: everything else goes to a proxy that does not exist.
PREFERENCES = {
    "marionette.port": 0,  # any free one; it is written to a file in the profile
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en-US",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS |= {"Shift": "\ue008", "Home": "\ue011", "Control": "\ue009"}


def find_firefox() -> str | None:
    """Return the path of Firefox; None if it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A window of Firefox."""

    name = "Firefox"

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS)
        self._answers = self._socket.makefile("rb")
        self._receive()  # a greeting
        self._number = 0
        self._send("WebDriver:NewSession")

    def _receive(self) -> Any:
        digits = b""
        while (byte := self._answers.read(1)) != b":":
            digits += byte
        return json.loads(self._answers.read(int(digits)))

    def _send(self, command: str, **values: Any) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, values]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, problem, result = self._receive()
        if problem:
            raise AssertionError(f"{command}: {problem['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def goto(self, url: str) -> None:
        """Open a URL, and wait until it is loaded."""
        self._send("WebDriver:Navigate", url=url)

    def run(self, script: str, *values: Any) -> Any:
        """Run the body of an async function in the page; return what it returns."""
        whole = f"return (async (...values) => {{ {script} }})(...arguments);"
        return self._send("WebDriver:ExecuteScript", script=whole, args=list(values))

    def press(self, *keys: str) -> None:
        """Press keys one after another; "Shift+Tab" presses two at once."""
        for key in keys:
            held = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            actions = [{"type": "keyDown", "value": part} for part in held]
            actions += [{"type": "keyUp", "value": part} for part in reversed(held)]
            self._send("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page; windows themselves cannot be as narrow as a telephone."""
        self._send("WebDriver:SetWindowRect", width=max(width, 600) + 40, height=height + 200)
        self._send("Marionette:SetContext", value="chrome")
        style = "const {style} = gBrowser.selectedBrowser; style.minWidth = style.maxWidth = arguments[0] + 'px';"
        style += "style.minHeight = style.maxHeight = arguments[1] + 'px';"
        self._send("WebDriver:ExecuteScript", script=style, args=[width, height])
        self._send("Marionette:SetContext", value="content")
        deadline = time.monotonic() + ANSWER_SECONDS
        while self.run("return innerWidth") != width and time.monotonic() < deadline:
            time.sleep(0.02)

    def picture(self, file: Path) -> None:
        """Save a screenshot."""
        file.write_bytes(base64.b64decode(self._send("WebDriver:TakeScreenshot", full=False)))

    def quit(self) -> None:
        """End the browser."""
        self._send("Marionette:Quit", flags=["eForceQuit"])
        self._answers.close()
        self._socket.close()


@contextmanager
def open_firefox() -> Iterator[Firefox]:
    """Run Firefox with an empty profile."""
    path = find_firefox()
    assert path
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        Path(profile, "user.js").write_text("\n".join(lines))
        command = [path, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
        run = subprocess.Popen(
            [*command, "--profile", profile], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
        )
        try:
            port_file, deadline = Path(profile, "MarionetteActivePort"), time.monotonic() + START_SECONDS
            while not (port_file.is_file() and port_file.read_text()):
                assert run.poll() is None, "Firefox has ended"
                assert time.monotonic() < deadline, "Firefox does not start"
                time.sleep(0.05)
            window = Firefox(int(port_file.read_text()))
            yield window
            window.quit()
            run.wait(30)
        finally:
            run.kill()
            run.wait(30)
