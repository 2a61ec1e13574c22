"""Every way out of a page that we know of, as one page, and listeners that note what arrives.

Each way is HTML or a script in which URL stands for the URL of a listener with the name of the way as its path, and HOST
for its address and port.
"""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Arrival", "Listeners", "find_own_address", "listen", "make_page"]

HTML = {
    "image": "<img src=URL>",
    "image-set": "<img srcset='URL 1x'><picture><source srcset=URL><img></picture>",
    "image-input": "<input type=image src=URL>",
    "attribution": "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' attributionsrc=URL>",
    "background": "<table background=URL><td background=URL>cell</table>",
    "video": "<video src=URL poster=URL autoplay muted></video>",
    "audio": "<audio src=URL preload=auto></audio>",
    "track": "<video src='data:video/mp4,'><track default src=URL></video>",
    "frame": "<iframe src=URL></iframe>",
    "object": "<object data=URL></object>",
    "embed": "<embed src=URL>",
    "fenced-frame": "<fencedframe src=URL></fencedframe>",
    "style-sheet": "<link rel=stylesheet href=URL>",
    "import": "<style>@import 'URL';</style>",
    "css-url": "<style>body { background: url(URL) } p { cursor: url(URL), auto; list-style: url(URL) }</style>",
    "font": "<style>@font-face { font-family: f; src: url(URL) } p { font-family: f }</style>",
    "script": "<script src=URL></script>",
    "module": "<script type=module src=URL></script>",
    "preload": "<link rel=preload as=script href=URL><link rel=preload as=fetch crossorigin href=URL>",
    "module-preload": "<link rel=modulepreload href=URL>",
    "prefetch": "<link rel=prefetch href=URL>",
    "prerender": "<link rel=prerender href=URL>",
    "dns-prefetch": "<link rel=dns-prefetch href=URL><link rel=dns-prefetch href=//dns-prefetch.invalid>",
    "preconnect": "<link rel=preconnect href=URL><link rel=preconnect href=//preconnect.invalid>",
    "icon": "<link rel=icon href=URL><link rel=apple-touch-icon href=URL>",
    "manifest": "<link rel=manifest href=URL>",
    "dictionary": "<link rel=compression-dictionary href=URL>",
    "speculation": '<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["URL"], "eagerness": "immediate"}],'
    '"prerender": [{"source": "list", "urls": ["URL"], "eagerness": "immediate"}]}</script>',
    "svg": "<svg><image href=URL /><use href='URL#a'/><filter id=f><feImage href=URL /></filter></svg>",
    "refresh": "<iframe srcdoc='<meta http-equiv=refresh content=\"0;url=URL\">'></iframe>",
    "form": "<iframe srcdoc='<form action=URL method=post></form><script>document.forms[0].submit()</script>'></iframe>",
    "ping": "<a id=pings href='#x' ping=URL>x</a><script>pings.click()</script>",
    "external": "<iframe src='mailto:a@b.invalid'></iframe><iframe src='ssh://HOST/'></iframe><iframe src='ftp://HOST/'></iframe>",
    "file": "<iframe src='file:///etc/passwd'></iframe><img src='file://HOST/x'>",
}
SCRIPTS = {
    "fetch": "fetch('URL')",
    "fetch-keepalive": "fetch('URL', { keepalive: true, method: 'POST', body: 'x' })",
    "fetch-later": "fetchLater('URL', { activateAfter: 0 })",
    "fetch-local": "fetch('URL', { targetAddressSpace: 'local' })",
    "request": "const r = new XMLHttpRequest(); r.open('GET', 'URL'); r.send()",
    "beacon": "navigator.sendBeacon('URL', 'x')",
    "event-source": "new EventSource('URL')",
    "web-socket": "new WebSocket('ws://HOST/web-socket')",
    "web-socket-stream": "new WebSocketStream('ws://HOST/web-socket-stream')",
    "dynamic-import": "import('URL')",
    "font-face": "new FontFace('g', 'url(URL)').load()",
    "worklet": "CSS.paintWorklet?.addModule('URL'); new AudioContext().audioWorklet.addModule('URL')",
    "worker": "new Worker(URL.createObjectURL(new Blob([`importScripts('URL')`])))",
    "worker-fetch": "new Worker(URL.createObjectURL(new Blob([`fetch('URL'); new WebSocket('ws://HOST/worker-fetch')`])))",
    "shared-worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('URL')`])))",
    "service-worker": "navigator.serviceWorker.register('/service-worker')",
    "pop-up": "window.open('URL')",
    "pop-up-fetch": "window.open('about:blank').fetch('URL')",
    "new-window": "const a = document.createElement('a'); a.href = 'URL'; a.target = '_blank'; a.click()",
    "download": "const a = document.createElement('a'); a.href = 'URL'; a.download = 'x'; later(() => a.click())",
    "frame-location": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = 'URL'",
    "frame-fetch": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch('URL')",
    "print": "window.print()",
    "payment": "new PaymentRequest([{ supportedMethods: 'URL' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment()",
    "identity": "navigator.credentials.get({ identity: { providers: [{ configURL: 'URL', clientId: 'x' }] } })",
    "presentation": "new PresentationRequest('URL').getAvailability()",
    "remote-playback": "const v = document.createElement('video'); v.src = 'URL'; v.remote.watchAvailability(() => 0)",
    "notification": "new Notification('x', { icon: 'URL' })",
    "auction": "navigator.joinAdInterestGroup({ owner: location.origin, name: 'x', biddingLogicURL: 'URL' }, 60)",
    "shared-storage": "sharedStorage.worklet.addModule('URL')",
    "external-script": "later(() => { location.href = 'mailto:a@b.invalid' })",
    "web-transport": "new WebTransport('https://HOST/x', { serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] })",
    "quic": "fetch('https://HOST/quic')",
    "rtc": "connect(window)",
    "rtc-frame": "const f = document.createElement('iframe'); document.body.append(f); connect(f.contentWindow)",
    "rtc-pop-up": "connect(window.open('about:blank'))",
    "rtc-srcdoc": "const f = document.createElement('iframe'); f.srcdoc = '<script>(' + connect + ')(window)</scr' + 'ipt>'; document.body.append(f)",
    "rtc-sandbox": "const f = document.createElement('iframe'); f.sandbox = 'allow-scripts';"
    "f.srcdoc = '<script>(' + connect + ')(window)</scr' + 'ipt>'; document.body.append(f)",
    "rtc-data": "const f = document.createElement('iframe'); f.src = 'data:text/html,' + encodeURIComponent('<script>(' + connect + ')(window)</scr' + 'ipt>');"
    "document.body.append(f)",
}
# WebRTC with a STUN server, TURN servers over UDP, TCP and TLS, and a peer whose addresses are the listener and names that
# need DNS and mDNS.
CONNECT = """function connect(place) {
  const host = "HOST", [, address, port] = host.match(/^\\[?(.*?)\\]?:(\\d+)$/), Peer = place.RTCPeerConnection ?? place.webkitRTCPeerConnection;
  const turn = { urls: ["turn:" + host + "?transport=udp", "turn:" + host + "?transport=tcp", "turns:" + host], username: "u", credential: "c" };
  const caller = new Peer({ iceServers: [{ urls: "stun:" + host }, turn] }), other = new Peer();
  caller.createDataChannel("x");
  caller.createOffer().then(async (offer) => {
    await caller.setLocalDescription(offer);
    await other.setRemoteDescription(offer);
    await caller.setRemoteDescription(await other.createAnswer());
    for (const name of [address, "some-name.local", "OTHER-NAME.LOCAL", "dotted-name.local.", "a.b.local", "some-name.invalid"])
      for (const kind of ["udp 2122260223", "tcp 1518280447"])
        await caller.addIceCandidate({ candidate: `candidate:1 1 ${kind} ${name} ${port} typ host tcptype passive`, sdpMid: "0" }).catch(() => 0);
  });
}"""
# The page changes all the time, so that rendering waits. A navigation must not stop it from being parsed.
LIVELY = """<i id=ticks></i><script>
setInterval(() => { ticks.textContent = Date.now() }, 20);
const later = (act) => addEventListener("DOMContentLoaded", () => setTimeout(act, 300));
</script>"""
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n%b\r\n%b"
POLICY = b"Content-Security-Policy: style-src-attr 'none'; report-uri /policy-report\r\n"


class Arrival(NamedTuple):
    """Something that a listener received."""

    protocol: str  # "udp" or "tcp"
    way: str  # the path of an HTTP request, or the first bytes
    source: tuple[str, int]


def make_page(hosts: list[str]) -> str:
    """Return a page that tries every way out to each of these addresses with ports."""
    parts = ["<!DOCTYPE html><title>Ways out</title><p style='color: red'>Text.</p>", LIVELY]
    for host in hosts:
        for way, html in HTML.items():
            parts.append(html.replace("HOST", host).replace("URL", f"http://{host}/{way}"))
        for way, script in SCRIPTS.items():
            filled = script.replace("'URL'", f"'http://{host}/{way}'").replace("(URL)", f"(http://{host}/{way})")
            body = f"{CONNECT};{filled}".replace("HOST", host)
            parts.append(f"<script>{{ try {{ {body} }} catch {{}} }}</script>")
    return "\n".join(parts)


class Listeners:
    """Listens for UDP and TCP on a port of each address; answers every HTTP request, and "/" with a page."""

    def __init__(self, addresses: list[str]) -> None:
        self.arrivals: list[Arrival] = []
        self.hosts: list[str] = []  # with ports, as in URLs
        self._selector = selectors.DefaultSelector()
        for address in addresses:
            tcp, udp = self._bind(address)
            self._selector.register(tcp, selectors.EVENT_READ, self._accept)
            self._selector.register(udp, selectors.EVENT_READ, self._note_packet)
            port = tcp.getsockname()[1]
            self.hosts.append(f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
        self.page = make_page(self.hosts)

    @staticmethod
    def _bind(address: str) -> tuple[socket.socket, socket.socket]:
        """Return a TCP and a UDP socket with the same port."""
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        tcp, udp = socket.socket(family, socket.SOCK_STREAM), socket.socket(family, socket.SOCK_DGRAM)
        tcp.bind((address, 0))
        udp.bind((address, tcp.getsockname()[1]))
        tcp.listen(200)
        return tcp, udp

    def list_ways(self, protocol: str) -> set[str]:
        """Return the ways by which something arrived."""
        return {arrival.way for arrival in self.arrivals if arrival.protocol == protocol}

    def serve(self, stopped: threading.Event) -> None:
        """Note what arrives until stopped."""
        while not stopped.is_set():
            for key, _ in self._selector.select(0.05):
                with suppress(OSError):
                    key.data(key.fileobj)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _accept(self, listener: socket.socket) -> None:
        connection, _ = listener.accept()
        self._selector.register(connection, selectors.EVENT_READ, self._answer)

    def _note_packet(self, listener: socket.socket) -> None:
        data, source = listener.recvfrom(2000)
        self.arrivals.append(Arrival("udp", repr(data[:8]), source[:2]))

    def _answer(self, connection: socket.socket) -> None:
        self._selector.unregister(connection)
        with connection:
            data, source = connection.recv(100_000), connection.getpeername()[:2]
            parts = data.split(b" ", 2)
            is_http = len(parts) == 3 and b" HTTP/1.1\r\n" in data
            way = parts[1].decode().lstrip("/") if is_http else repr(data[:8])
            self.arrivals.append(Arrival("tcp", way, source))
            if is_http and not way:
                connection.sendall(RESPONSE % (b"text/html; charset=utf-8", POLICY, self.page.encode()))
            elif is_http:
                connection.sendall(RESPONSE % (b"text/javascript", b"", b""))


@contextmanager
def listen(addresses: list[str]) -> Iterator[Listeners]:
    """Run listeners in a thread."""
    listeners, stopped = Listeners(addresses), threading.Event()
    thread = threading.Thread(target=listeners.serve, args=(stopped,), daemon=True)
    thread.start()
    try:
        yield listeners
    finally:
        stopped.set()
        thread.join()


def find_own_address() -> str | None:
    """Return an address of this machine in its network, if it has one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None
