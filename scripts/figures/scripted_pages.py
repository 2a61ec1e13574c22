"""Pages that scripts fill in different ways, and a server for them; `scripts.figures.waiting` renders them."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PAGES", "STATIC_PAGES", "ScriptedPage", "serve_scripted_pages", "write_sentence"]

PLACES = "pier harbour mill orchard library station quarry market chapel ferry bakery meadow".split()
PEOPLE = "keeper miller teacher sailor farmer printer gardener painter baker carpenter weaver smith".split()
PARAGRAPHS = 8
LIST_ITEMS = 30
EVENTS = 6


def write_sentence(number: int) -> str:
    """Return the text of a paragraph; every number has its own."""
    place, person = PLACES[number % len(PLACES)], PEOPLE[number // len(PLACES) % len(PEOPLE)]
    return (
        f"In the year {1700 + number} the {person} of the {place} wrote down what the people of the valley told him, "
        "and he kept the pages in a box that was opened only after his death, when nobody could be asked any more."
    )


def write_paragraphs(start: int = 0, stop: int = PARAGRAPHS) -> str:
    """Return paragraphs as HTML."""
    return "".join(f"<p>{write_sentence(number)}</p>" for number in range(start, stop))


TEXT = json.dumps(f"<h1>The box</h1>{write_paragraphs()}")
FILL = f"app.innerHTML = {TEXT}"
HEAD = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>The box</title>"
NAV = "<nav><a href=/a>Home</a> <a href=/b>News</a> <a href=/c>About us</a></nav>"
SHELL = f"{HEAD}<body>{NAV}<main id=app></main>"
SPINNER = f"{HEAD}<body>{NAV}<main id=app><div class=spinner>Loading …</div></main>"
FETCH = "fetch('/text?ms={ms}').then((got) => got.text()).then((text) => {{ app.innerHTML = text; }})"
ADD = "const add = (html) => app.insertAdjacentHTML('beforeend', html);"
CONSENT = "<div id=wall><p>We and our partners use cookies.</p><button id=yes>Accept all</button></div>"
SENTENCES = f"const texts = {json.dumps([write_sentence(number) for number in range(PARAGRAPHS)])};"
FRAME = json.dumps(f"<main id=app></main><script>setTimeout(() => {{ {FILL} }}, 300)</script>").replace("</", "<\\/")
DATA = json.dumps({"text": json.loads(TEXT)}).replace("</", "<\\/")
NOTICE = f"<h1>Please wait</h1><p>{'The archive opens its box for you and this takes a moment. ' * 60}</p>"


@dataclass(frozen=True)
class ScriptedPage:
    """A page, the numbers of the sentences that it shows at the end, and the settings that it needs."""

    html: str
    sentences: range = range(PARAGRAPHS)
    settings: dict[str, Any] = field(default_factory=dict)


def _run(script: str, shell: str = SHELL) -> str:
    return f"{shell}<script>{script}</script>"


def _list_page(box: str, near_end: str) -> str:
    """Return an endless list of LIST_ITEMS items, of which six are loaded at a time when its end is near."""
    return _run(
        f"""let next = 0, isLoading = false;
        const load = () => {{
          if (isLoading || next >= {LIST_ITEMS}) return;
          isLoading = true;
          fetch(`/items?from=${{next}}&to=${{next + 6}}&ms=80`).then((got) => got.text()).then((html) => {{
            app.insertAdjacentHTML('beforeend', html); next += 6; isLoading = false;
          }});
        }};
        load(); {near_end}""",
        f"{HEAD}<style>p {{ height: 300px }}</style><body>{NAV}{box}",
    )


PAGES: dict[str, ScriptedPage] = {
    **{
        f"timer of {seconds:g} s": ScriptedPage(_run(f"setTimeout(() => {{ {FILL} }}, {seconds * 1000:.0f})", shell))
        for seconds, shell in ((0.1, SHELL), (0.3, SHELL), (1, SPINNER), (3, SHELL), (5, SPINNER))
    },
    "timers that start each other": ScriptedPage(
        _run(f"""{ADD} {SENTENCES}
        const next = () => {{ if (texts.length) {{ add(`<p>${{texts.shift()}}</p>`); setTimeout(next, 400); }} }};
        setTimeout(next, 400)""")
    ),
    "interval, a paragraph each": ScriptedPage(
        _run(f"""{ADD} {SENTENCES}
        const timer = setInterval(() => {{
          add(`<p>${{texts.shift()}}</p>`);
          if (!texts.length) clearInterval(timer);
        }}, 300)""")
    ),
    "fetch, 2 s": ScriptedPage(_run(FETCH.format(ms=2000), SPINNER)),
    "timer, then two requests": ScriptedPage(
        _run(f"setTimeout(() => fetch('/text?ms=150').then(() => {{ {FETCH.format(ms=300)} }}), 500)")
    ),
    "moves to another page": ScriptedPage(_run("setTimeout(() => location.replace('/whole'), 600)", SPINNER)),
    "frame, timer inside": ScriptedPage(f"{HEAD}<body>{NAV}<iframe src=/frame width=900 height=2000></iframe>"),
    "frame made by a script": ScriptedPage(
        _run(f"""setTimeout(() => {{
          const frame = document.createElement('iframe');
          frame.width = 900; frame.height = 2000; frame.srcdoc = {FRAME};
          app.append(frame);
        }}, 500)""")
    ),
    "consent, then a request": ScriptedPage(
        _run(f"yes.onclick = () => {{ wall.remove(); {FETCH.format(ms=300)} }}", f"{SHELL}{CONSENT}"),
        settings={"click": ("#yes",)},
    ),
    "consent shown late, text hidden": ScriptedPage(
        _run(
            f"""setTimeout(() => {{ document.body.insertAdjacentHTML('beforeend', {json.dumps(CONSENT)});
            yes.onclick = () => {{ wall.remove(); app.style.display = 'block'; }} }}, 400)""",
            f"{HEAD}<body>{NAV}<main id=app style='display: none'><h1>The box</h1>{write_paragraphs()}</main>",
        ),
        settings={"click": ("button#yes",)},
    ),
    "a button that shows more": ScriptedPage(
        _run(
            f"""{ADD} let next = 6; more.onclick = () => fetch(`/items?from=${{next}}&to=${{next + 6}}&ms=100`)
            .then((got) => got.text())
            .then((html) => {{ add(html); next += 6; if (next >= {LIST_ITEMS}) more.remove(); }})""",
            f"{SHELL[:-7]}<h1>The box</h1>{write_paragraphs(0, 6)}</main><button id=more>Show more</button>",
        ),
        range(LIST_ITEMS),
        {"click": ("#more",)},
    ),
    "endless list": ScriptedPage(
        _list_page(
            "<main id=app></main><div id=end style='height: 10px'></div>",
            "new IntersectionObserver((seen) => { if (seen[0].isIntersecting) load(); }).observe(end)",
        ),
        range(LIST_ITEMS),
        {"scroll": True},
    ),
    "endless list in a box": ScriptedPage(
        _list_page(
            "<main id=app style='height: 600px; overflow-y: auto'></main>",
            "app.onscroll = () => { if (app.scrollTop + app.clientHeight > app.scrollHeight - 300) load(); }",
        ),
        range(LIST_ITEMS),
        {"scroll": True},
    ),
    "components with slots": ScriptedPage(
        _run(
            f"""setTimeout(() => {{
              customElements.define('the-page', class extends HTMLElement {{ connectedCallback() {{
                const root = this.attachShadow({{ mode: 'open' }});
                root.innerHTML = '<article><slot></slot><the-text></the-text></article>'; }} }});
              customElements.define('the-text', class extends HTMLElement {{ connectedCallback() {{
                const root = this.attachShadow({{ mode: 'open' }});
                fetch('/items?from=2&to={PARAGRAPHS}&ms=400').then((got) => got.text())
                .then((text) => {{ root.innerHTML = text; }}); }} }});
            }}, 600)""",
            f"{HEAD}<body>{NAV}<the-page><h1>The box</h1>{write_paragraphs(0, 2)}</the-page>",
        )
    ),
    "a notice, then the text": ScriptedPage(
        _run(
            f"setTimeout(() => {{ {FILL}; app.className = 'done' }}, 2500)",
            f"{SHELL[:-7]}{NOTICE}</main>",
        ),
        settings={"wait_for": "main.done"},
    ),
    "hydration by a module": ScriptedPage(
        f"{SPINNER}<script type=module>import {{ render }} from '/module.js?ms=300'; await render();</script>"
    ),
    "hydration from data in the page": ScriptedPage(
        f"""{SPINNER}<script type=application/json id=data>{DATA}</script><script>
        requestIdleCallback(() => setTimeout(() => {{ app.innerHTML = JSON.parse(data.textContent).text }}, 450))
        </script>"""
    ),
    "worker, 1.5 s": ScriptedPage(
        _run("new Worker('/worker.js').onmessage = (event) => { app.innerHTML = event.data }", SPINNER)
    ),
    "events from the server": ScriptedPage(
        _run(f"{ADD} new EventSource('/events').onmessage = (event) => add(event.data)"), range(EVENTS)
    ),
    "scripts that load each other": ScriptedPage(
        _run("const s = document.createElement('script'); s.src = '/first.js?ms=300'; document.body.append(s)")
    ),
}
assert len(PAGES) == 24

STATIC_PAGES: dict[str, ScriptedPage] = {
    "plain page": ScriptedPage(f"{HEAD}<body>{NAV}<main><h1>The box</h1>{write_paragraphs()}</main>"),
    "plain page with a short text": ScriptedPage(f"{HEAD}<body><p>{write_sentence(0)}</p>", range(1)),
    "whole page with a script": ScriptedPage(
        f"{SHELL[:-7]}{write_paragraphs(0, 20)}</main><script>document.title += '.'</script>",
        range(20),
    ),
}

FILES: dict[str, tuple[str, str]] = {
    "/text": ("text/html", json.loads(TEXT)),
    "/whole": ("text/html", f"{HEAD}<body>{NAV}<main>{json.loads(TEXT)}</main>"),
    "/frame": ("text/html", f"<main id=app></main><script>setTimeout(() => {{ {FILL} }}, 800)</script>"),
    "/module.js": (
        "text/javascript",
        "export async function render() { const got = await fetch('/text?ms=400'); app.innerHTML = await got.text(); }",
    ),
    "/worker.js": ("text/javascript", f"setTimeout(() => postMessage({TEXT}), 1500)"),
    "/first.js": (
        "text/javascript",
        "const t = document.createElement('script'); t.src = '/second.js?ms=500'; document.body.append(t)",
    ),
    "/second.js": ("text/javascript", f"setTimeout(() => {{ {FILL} }}, 200)"),
}


def _make_path(name: str) -> str:
    return "/page/" + "-".join("".join(c if c.isalnum() else " " for c in name).split())


@contextmanager
def serve_scripted_pages() -> Iterator[dict[str, str]]:
    """Serve all pages on a free local port. Yield the URL of each page, by name."""
    pages = {_make_path(name): page for name, page in (PAGES | STATIC_PAGES).items()}

    class PageHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            given = {name: int(values[0]) for name, values in parse_qs(parts.query).items()}
            time.sleep(given.get("ms", 0) / 1000)
            if parts.path == "/events":
                self._send_events()
            elif parts.path == "/items":
                self._send("text/html", write_paragraphs(given["from"], given["to"]))
            elif parts.path in pages:
                self._send("text/html", pages[parts.path].html)
            else:
                self._send(*FILES.get(parts.path, ("", "")))

        def _send(self, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _send_events(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with suppress(ConnectionError):  # the browser may leave earlier
                for number in range(EVENTS):
                    time.sleep(0.4)
                    self.wfile.write(f"data: <p>{write_sentence(number)}</p>\n\n".encode())
            time.sleep(30)  # the connection stays open

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), PageHandler)
    server.daemon_threads = True
    server.block_on_close = False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}"
        yield {name: address + _make_path(name) for name in (*PAGES, *STATIC_PAGES)}
    finally:
        server.shutdown()
        server.server_close()
