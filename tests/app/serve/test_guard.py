"""Access control: other web sites, DNS rebinding, the token and the key of the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import Service, error, odd_service

from bonmun.app.serve.http.access import AccessControl, AccessDenied, split_host
from bonmun.app.serve.settings import ServiceOptions
from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samples import Bonmun

TOKEN = "a-token-of-some-length"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with odd_service(tmp_path_factory.mktemp("serve") / "log", token=TOKEN, log_level="warning") as service:
        yield service


def check(headers: dict[str, str], path: str = "/extract", **settings: object) -> int:
    """Return the status with which a request is refused, or 200."""
    access = AccessControl(ServiceOptions(**settings), "the-key")  # type: ignore[arg-type]
    try:
        access.check(path, headers)
    except AccessDenied as denied:
        return denied.status
    return 200


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000", "127.0.0.2:8000"])
def test_loopback_names_are_allowed(host: str) -> None:
    assert check({"host": host}) == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example:8000",
        "localhost.evil.example:8000",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:8001",
        "0.0.0.0:8000",
        "192.168.0.1:8000",
        "[::1:8000",
        f"127.0.0.1:{8 * '0'}",
        f"127.0.0.1:{5_000 * '9'}",
        "[::1]8000",
        "127.0.0.1:8000@evil.example",
        "127.0.0.1:８０００",
        "a:b:c",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    assert check({"host": host}) == 403


def test_names_can_be_allowed() -> None:
    allowed = ("bonmun.example", "other.example:8443")
    assert check({"host": "Bonmun.Example:443"}, allowed_hosts=allowed) == 200
    assert check({"host": "other.example:8443"}, allowed_hosts=allowed) == 200
    assert check({"host": "other.example"}, allowed_hosts=allowed) == 403
    assert check({"host": "127.0.0.1:8000"}, allowed_hosts=allowed) == 200
    assert check({"host": "whatever.example"}, allowed_hosts=("*",)) == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8000"}, 200),
        ({"origin": "https://127.0.0.1:8000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "http://localhost:8000"}, 403),  # another origin to a browser
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),  # another port of this machine
        ({"sec-fetch-site": "Cross-Site", "origin": "http://127.0.0.1:8000"}, 403),
    ],
)
def test_pages_of_other_sites_are_refused(headers: dict[str, str], status: int) -> None:
    assert check({"host": "127.0.0.1:8000"} | headers) == status


def test_only_monitoring_paths_work_without_the_token() -> None:
    host = {"host": "any.example"}
    wide = {"host": "0.0.0.0", "token": TOKEN}
    assert check(host, **wide) == 401
    for value in (f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer", "Bearer ", "Bearer ü", f"Bearer {TOKEN[:-1]}"):
        assert check(host | {"authorization": value}, **wide) == 401
    assert check(host | {"authorization": f"Bearer {TOKEN}"}, **wide) == 200
    assert check(host | {"authorization": f"bearer  {TOKEN} "}, **wide) == 200
    assert [check(host, path, **wide) for path in ("/health", "/ready", "/metrics", "/openapi.json", "/healthy")] == [
        *(200, 200, 401, 401, 401)
    ]


def test_the_inspector_needs_its_key() -> None:
    host = {"host": "127.0.0.1:8000"}
    assert check(host, "/inspector/") == 200
    for path in ("/inspector/api/pages", "/inspector/api"):
        assert check(host, path) == 401
        assert check(host | {"x-bonmun-key": "another"}, path) == 401
        assert check(host | {"x-bonmun-key": "the-key"}, path) == 200
        assert check(host | {"x-bonmun-key": "the-key", "origin": "http://evil.example"}, path) == 403
    assert check(host, "/inspector/api/pages", token=TOKEN) == 401
    assert check(host | {"x-bonmun-key": "the-key"}, "/inspector/api/pages", token=TOKEN) == 200


def test_hosts_are_split() -> None:
    assert split_host("example.org") == ("example.org", 80)
    assert split_host("[::1]:9") == ("::1", 9)
    assert split_host("localhost.:9") == ("localhost", 9)
    assert split_host(":9") == (None, None)


@pytest.mark.slow
def test_a_running_service_checks_access(service: Service) -> None:
    assert error(service.http.get("/methods"))[:2] == (401, "Refused")
    assert service.http.get("/methods").headers["www-authenticate"] == "Bearer"
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert service.http.get("/methods", headers=right).status_code == 200
    assert error(service.http.get("/methods", headers=right | {"Host": "evil.example"}))[:2] == (403, "Refused")
    assert error(service.post("/extract", headers=right | {"Origin": "http://evil.example"}))[:2] == (403, "Refused")
    answer = service.http.options(
        "/extract", headers=right | {"Origin": service.address, "Access-Control-Request-Method": "POST"}
    )
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers
    assert service.http.get("/health").json()["status"] == "ok"
    assert TOKEN not in service.log.read_text()
    assert service.process.stdout
    key = service.process.stdout.readline().decode().strip()
    assert len(key) >= 32
    assert error(service.http.get("/inspector/api/x"))[0] == 401
    assert error(service.http.get("/inspector/api/x", headers={"X-Bonmun-Key": key}))[0] == 404


@pytest.mark.slow
def test_requests_without_exactly_one_host_are_refused(service: Service) -> None:
    for head in (b"GET /health HTTP/1.1\r\n\r\n", b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"):
        with service.open(head) as connection:
            assert connection.recv(100).startswith(b"HTTP/1.1 400")
    assert "Invalid HTTP request received." in [line.get("says") for line in service.read_log()]
    with service.open(b"GET /health HTTP/1.0\r\n\r\n") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"host": "0.0.0.0"}, "set a token"),
        ({"host": "192.168.1.5"}, "set a token"),
        ({"host": "::"}, "set a token"),
        ({"host": "example.org"}, "set a token"),
        ({"host": "0.0.0.0", "token": "short"}, "at least 16 characters"),
        ({"token": "ünsafe-token-of-some-length"}, "ASCII"),
        ({"port": 70_000}, "port"),
        ({"workers": 0}, "workers"),
        ({"seconds": 0}, "seconds"),
        ({"log_level": "loud"}, "log_level"),
        ({"allow_private": True}, "fetch"),
    ],
)
def test_unsafe_settings_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(BadConfig, match=says):
        ServiceOptions(**settings)  # type: ignore[arg-type]


def test_the_command_reports_invalid_settings(bonmun: Bonmun) -> None:
    done = bonmun("serve", "--host", "0.0.0.0")
    assert done.exit_code == 2
    assert "set a token" in done.stderr
    done = bonmun("serve", "--model", "no-such-file.npz")
    assert done.exit_code == 2
    assert "no-such-file.npz" in done.stderr


def test_a_used_port_is_reported(service: Service, bonmun: Bonmun) -> None:
    done = bonmun("serve", "--port", str(service.port))
    assert done.exit_code == 2
    assert "another program uses the port" in done.stderr


def test_tokens_are_not_shown() -> None:
    assert TOKEN not in str(ServiceOptions(token=TOKEN).to_dict())
