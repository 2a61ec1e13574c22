"""Pages by URL in the path, forms, and batches, on real servers; also what hostile clients send."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from running import PAGE, Service, error, started

from bonmun.app.serve.forms import MAX_FIELDS, read_form
from bonmun.app.serve.jobs import JobLimits, JobRequest, JobResponse, read_batch_job
from bonmun.app.serve.routes import respond
from bonmun.app.serve.settings import ServiceOptions
from bonmun.errors import BadConfig, BadInput, BonmunError
from bonmun.options import Options
from bonmun.pipeline import extract
from samples import served
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

OTHER = PAGE.replace("small lake", "large swamp")
LOGIN = "<title>Sign in</title><form><h1>Sign in</h1><label>Password<input type=password></label></form>"
MULTIPART = "multipart/form-data; boundary=xx"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    pages = {name: (PAGE.encode(), "text/html") for name in ("/page", "/a%20b", "/c%2Fd", "/page?id=5&name=x")}
    pages |= {f"/{number}": (PAGE.encode(), "text/html") for number in range(20)}
    pages["/other?format=1"] = (OTHER.encode(), "text/html")
    pages["/login"] = (LOGIN.encode(), "text/html")
    with served(pages) as address:
        yield address


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "1", "--fetch", "--allow-private"]
    with started(line, tmp_path_factory.mktemp("serve") / "log") as service:
        yield service


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that only downloads from public addresses, with a token."""
    line = ["-m", "bonmun", "serve", "--port", "0", "--workers", "1", "--fetch", "--token", "a-long-secret-token"]
    with started(line, tmp_path_factory.mktemp("serve") / "log") as service:
        service.http.headers["Authorization"] = "Bearer a-long-secret-token"
        yield service


def send(service: Service, target: str, *headers: str) -> tuple[int, bytes]:
    """Send a GET request with this target as it is."""
    lines = [f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{service.port}", *headers, "Connection: close", "", ""]
    with service.open("\r\n".join(lines).encode("latin-1")) as connection:
        data = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


@pytest.mark.slow
def test_a_url_as_path_gives_markdown_or_what_is_asked_for(service: Service, site: str) -> None:
    url = f"{site}/page"
    doc = extract(PAGE.encode(), url)
    assert service.http.get(f"/{url}").text == doc.markdown
    assert service.http.get(f"/{url}").headers["content-type"] == "text/markdown; charset=utf-8"
    for name in ("text", "markdown", "md", "html", "xml"):
        assert service.http.get(f"/{name}/{url}").text == doc.render(name)
    assert service.http.get(f"/json/{url}").json()["title"] == doc.title
    assert service.http.get(f"/{url}", headers={"Accept": "text/html,*/*;q=0.8"}).text == doc.html
    assert service.http.get(f"/{url}", headers={"Accept": "text/html"}, params={"format": "text"}).text == doc.text
    assert service.http.get("/", params={"url": url, "format": "text"}).text == doc.text
    assert service.http.get("/", params={"url": url}).text == doc.markdown
    links = extract(PAGE.encode(), url, options=Options(links=False))
    assert service.http.get(f"/{url}?links=false").text == links.markdown
    assert service.http.get(f"/{url}?section=Floods").text.startswith("## Floods")


@pytest.mark.slow
def test_other_parameters_belong_to_the_url(service: Service, site: str) -> None:
    assert "small lake" in service.http.get(f"/{site}/page?id=5&name=x&format=text").text
    assert service.http.get(f"/{site}/page?id=6").status_code == 502
    assert "large swamp" in service.http.get("/", params={"url": f"{site}/other?format=1"}).text
    for path in ("/a%20b", "/c%2Fd"):
        status, body = send(service, f"/{site}{path}")
        assert (status, b"small lake" in body) == (200, True)
    encoded = f"{site}/page".replace(":", "%3A").replace("/", "%2F")
    assert send(service, f"/{encoded}")[0] == 200
    assert send(service, f"/{site.replace('//', '/')}/page")[0] == 200  # as some proxies send it


@pytest.mark.slow
def test_paths_that_are_no_urls_do_not_exist(service: Service) -> None:
    for path in ("/nothing", "/ftp://example.org/", "/pdf/https://example.org/", "/file:///etc/passwd", "/httpx://a"):
        assert error(service.http.get(path))[0] == 404, path
    assert service.http.post("/nothing").status_code == 404
    assert service.http.post("/https://example.org/").status_code == 405
    assert error(service.http.get("/https://example.org/?cursor=-1"))[:2] == (422, "BadConfig")
    assert error(service.http.get("/https://example.org/?format=pdf"))[:2] == (422, "BadConfig")
    assert error(service.http.get("/https://example.org/?format=md&format=text"))[:2] == (422, "BadConfig")
    assert error(service.http.get("/https://example.org/?" + "&".join("a=1" for _ in range(500))))[0] == 422
    assert error(service.http.get(f"/https://example.org/{'x' * 5_000}"))[0] == 422


@pytest.mark.slow
def test_an_empty_document_has_a_reason(service: Service, site: str) -> None:
    for answer in (
        service.http.get(f"/{site}/login"),
        service.http.get(f"/text/{site}/login"),
        service.post("/extract", LOGIN),
    ):
        assert (answer.status_code, answer.text.strip()) == (200, "")
        assert answer.headers["x-bonmun-hint"].startswith("The page asks to log in")
    assert "x-bonmun-hint" not in service.http.get(f"/{site}/page").headers
    [line] = read_lines(service.http.post("/batch", json={"urls": [f"{site}/login"], "format": "text"}))
    assert line["hint"].startswith("The page asks to log in")


def test_a_hint_is_a_safe_header() -> None:
    answer = respond(JobResponse("text/plain", b"", "Nothing\r\nX-Evil: 1\x00 쿠키" + "!" * 10_000))
    assert answer.headers["x-bonmun-hint"].startswith("Nothing??X-Evil: 1? ??!!!")
    assert "x-evil" not in answer.headers
    assert len(answer.headers["x-bonmun-hint"]) == 1_000


@pytest.mark.slow
def test_a_url_without_scheme_is_explained(service: Service) -> None:
    for path in ("/example.org/page", "/markdwn/https://example.org/"):
        assert "as in /https://example.org/page" in error(service.http.get(path))[2]
    assert "as in" not in error(service.http.post("/nothing"))[2]


PRIVATE = [
    "http://127.0.0.1:{port}/health",
    "http://localhost:{port}/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[fe80::1%25eth0]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.0.1:8080/",
    "http://100.64.0.1/",
    "http://user:password@127.0.0.1/",
    "http://example.org@127.0.0.1/",
    "http://127.0.0.1#@example.org/",
    "http://127.0.0.1\\@example.org/",
    "http://127。0。0。1/",
    "http:///etc/passwd",
    "http://%31%32%37.0.0.1/",
    "http://example.org:99999/",
    "https://",
]


@pytest.mark.slow
def test_no_spelling_of_a_private_address_is_downloaded(public: Service) -> None:
    for url in PRIVATE:
        url = url.format(port=public.port)
        for answer in (
            public.http.get("/", params={"url": url}),
            public.http.get(f"/markdown/{url}".replace("#", "%23").replace("\\", "%5C")),
        ):
            assert answer.status_code in (403, 404, 422, 502), url
            assert "status" not in answer.json(), url  # what /health says


@pytest.mark.slow
def test_the_token_is_needed_for_urls(public: Service) -> None:
    for path in ("/https://example.org/", "/?url=https://example.org/", "/json/https://example.org/"):
        assert send(public, path)[0] == 401
    assert public.http.post("/batch", json={"urls": []}, headers={"Authorization": "Bearer x"}).status_code == 401


@pytest.mark.slow
def test_other_web_sites_cannot_use_urls(service: Service, site: str) -> None:
    for header in ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"):
        assert send(service, f"/{site}/page", header)[0] == 403
    assert send(service, f"/{site}/page", "Sec-Fetch-Site: none")[0] == 200


@pytest.mark.slow
def test_headers_cannot_be_injected(service: Service, site: str) -> None:
    for accept in ("text/html%0d%0aX-Evil:%201", "text/html;q=1\x0bX-Evil: 1", "é" * 100, "a/b;" * 3_000):
        status, _ = send(service, f"/{site}/page", f"Accept: {accept}")
        assert status in (200, 400)
    for path in ("/page%0d%0aX-Evil:%201", "/page%00", "/page%0aHost:%20evil"):
        status, body = send(service, f"/{site}{path}")
        assert status in (404, 422, 502)
        assert b"X-Evil" not in body.partition(b"{")[0]


@pytest.mark.slow
def test_bodies_without_a_type_and_forms_are_pages(service: Service) -> None:
    text = extract(PAGE.encode()).text
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert service.http.post("/extract", content=PAGE.encode()).text == text
    assert service.http.post("/extract", content=PAGE.encode(), headers=form).text == text  # curl --data-binary
    assert service.http.post("/extract", data={"html": PAGE, "format": "text"}).text == text
    files = {"file": ("page.html", PAGE.encode(), "text/html")}
    assert service.http.post("/extract", files=files).text == text
    answer = service.http.post("/extract?links=false", files=files, data={"format": "markdown"})
    assert answer.text == extract(PAGE.encode(), options=Options(links=False)).markdown
    assert error(service.http.post("/extract", files=files | {"again": ("b", b"<p>", "text/html")}))[0] == 422
    assert error(service.http.post("/extract", data={"html": PAGE, "nothing": "1"}))[:2] == (422, "BadConfig")


BROKEN_FORMS = {
    "no boundary": ("multipart/form-data", b"--xx\r\n\r\n"),
    "long boundary": (f"multipart/form-data; boundary={'x' * 10_000}", b""),
    "empty": (MULTIPART, b""),
    "no end": (MULTIPART, b'--xx\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'),
    "no name": (MULTIPART, b"--xx\r\nContent-Type: text/html\r\n\r\n<p>\r\n--xx--"),
    "no head": (MULTIPART, b"--xx\r\n<p>\r\n--xx--"),
    "many fields": (MULTIPART, b'--xx\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 10_000 + b"--xx--"),
    "many pairs": ("application/x-www-form-urlencoded", b"a=1&" * 10_000),
    "no pairs": ("application/x-www-form-urlencoded", b"what is this"),
    "long value": ("application/x-www-form-urlencoded", b"method=" + b"a" * 100_000),
    "two pages": ("application/x-www-form-urlencoded", b"html=%3Cp%3E&html=%3Cp%3E"),
}


@pytest.mark.parametrize("name", BROKEN_FORMS)
def test_broken_forms_are_errors(name: str) -> None:
    with pytest.raises((BadInput, BadConfig)):
        read_form(*BROKEN_FORMS[name])


def test_forms_are_read() -> None:
    part = 'Content-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    nested = "--yy\r\n" * 1_000
    body = "".join(f"--xx\r\n{part.format(*pair)}" for pair in (("html", nested), ("format", "a&b"))) + "--xx--\r\n"
    assert read_form(MULTIPART, body.encode()) == ("format=a%26b", nested.encode())
    fields = b"&".join(b"a=1" for _ in range(MAX_FIELDS))
    assert read_form("application/x-www-form-urlencoded", fields)[0].count("&") == MAX_FIELDS - 1
    assert read_form(MULTIPART, b'--xx\r\nContent-Disposition: form-data; name="f"; filename=""\r\n\r\n\r\n--xx--') == (
        "",
        b"",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [b"--xx\r\n", b"\r\n--x", b"\r\n\r\n", b"--xx\r\nContent-Disposition: a;" + b";=" * 50]
)
def test_hostile_forms_take_linear_time(piece: bytes) -> None:
    def read(body: bytes) -> None:
        with pytest.raises(BonmunError):
            read_form(MULTIPART, body)

    assert_linear(lambda count: piece * count, read, 100_000)


def read_lines(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.slow
def test_a_batch_gives_a_line_for_each_page(service: Service, site: str) -> None:
    urls = [f"{site}/{number}" for number in range(20)]
    lines = read_lines(
        service.http.post("/batch", json={"urls": [*urls, f"{site}/missing", "ftp://x"], "format": "md"})
    )
    assert sorted(str(line["url"]) for line in lines) == sorted([*urls, f"{site}/missing", "ftp://x"])
    good = [line for line in lines if "error" not in line]
    assert {line["markdown"] for line in good} == {extract(PAGE.encode(), urls[0]).markdown}
    assert {line["error"]["type"] for line in lines if "error" in line} == {"FetchFailed"}
    text = {"Content-Type": "text/plain"}
    [line] = read_lines(service.http.post("/batch?max_tokens=300", content=f"# pages\n{site}/page\n\n", headers=text))
    assert "rest" in line["document"]


@pytest.mark.slow
def test_batches_are_refused_as_single_pages_are(public: Service) -> None:
    lines = read_lines(public.http.post("/batch", json={"urls": ["http://127.0.0.1/", "http://[::1]/", "x"]}))
    assert sorted(line["error"]["type"] for line in lines) == ["AddressRefused", "AddressRefused", "FetchFailed"]


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"urls": []}',
        b'{"urls": "https://a.example/"}',
        b'{"urls": [5]}',
        b'{"urls": [["a"]]}',
        json.dumps({"urls": ["https://a.example/"] * 10_000}).encode(),
        json.dumps({"urls": ["https://a.example/" + "x" * 10_000]}).encode(),
        b'{"urls": ["https://a.example/"], "url": "https://b.example/"}',
        b'{"urls": ["https://a.example/"], "format": "pdf"}',
        b'{"urls": ["https://a.example/"], "method": "atuo"}',
        b'{"urls": ["https://a.example/"], "outline": true, "format": "xml"}',
        b'{"urls": ["https://a.example/"], "allow_private": true}',
        b"[" * 100_000,
    ],
)
def test_bad_batches_are_refused_at_once(body: bytes) -> None:
    limits = JobLimits.of(ServiceOptions(fetch=True))
    with pytest.raises(BonmunError):
        read_batch_job(JobRequest(body, is_json=True), limits)
    with pytest.raises(BonmunError):
        read_batch_job(JobRequest(b'{"urls": ["https://a.example/"]}', is_json=True), JobLimits.of(ServiceOptions()))
    with pytest.raises(BadConfig):
        read_batch_job(JobRequest(b"https://a.example/\n" * 10_000), limits)
