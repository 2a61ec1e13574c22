"""Files other than pages: sitemaps, feeds, MHTML and web archives, made of grammars, and the checks of their readers.

A reader returns what it can read, or raises `BonmunError`. It takes linear time.
"""

from __future__ import annotations

import gzip
import plistlib
from typing import TYPE_CHECKING

from bonmun import BonmunError
from bonmun.page.saved.decode_saved import decode_page
from bonmun.scale.crawl.discover.feeds import read_feed
from bonmun.scale.crawl.discover.sitemaps import read_sitemap
from bonmun.scale.crawl.fetch.robots import Robots
from scripts.fuzz.checks import Fault
from scripts.fuzz.grammars import expand
from scripts.fuzz.judge import Verdict
from scripts.fuzz.mutate import encode_page, mutate
from scripts.fuzz.stages import URL, describe_error, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from scripts.fuzz.grammars import Grammar

__all__ = ["READERS", "judge_file", "make_file"]

BASE_SECONDS, SECONDS_PER_BYTE = 0.1, 5e-6  # time limit of a reader: ten times what most bytes take
MUTANT_SHARE = 0.7  # of files that are mutated, too

READERS: Mapping[str, Callable[[bytes], object]] = {
    "sitemap": lambda data: read_sitemap(data, URL),
    "feed": lambda data: read_feed(data, URL),
    "mhtml": decode_page,
    "webarchive": decode_page,
    "robots": lambda data: Robots.parse(data, 200, "bonmun", URL).allows(URL),
}

COMMON: Grammar = {
    "url": (
        "https://example.org/a", "/b", "", " ", "http://[::1", "javascript:x", "//c.example/d?e=f&amp;g#h", "«ref»",
        "https://example.org/«text»", "http://a.example:99999999/", "http://\u00e9.example/", "a<!>b<!>c",
        "http://xn--/",
    ),
    "text": (
        "words", "", "«ref»", "<![CDATA[«url»]]>", "<![CDATA[", "<!-- «url» -->", "<!>", "<b>x</b>", "&lt;b>",
        "\u2028",
    ),
    "ref": (
        "&amp;", "&#65;", "&#xD800;", "&#99999999999;", f"&#{'9' * 5000};", "&#x;", "&e;", "&",
        "&#" + "0" * 300 + "65;",
    ),
    "time": ("2024-05-03", "", "soon", "2024-99-99T99:99:99Z", "Wed, 4 Mar 2026 09:00:00 +0900", "-1", "9" * 300,
             "Fri, 31 Dec 9999 23:59:59 -9999", "0000-00-00", "2024-05-03T10:00:00+99:99"),
}  # fmt: skip

SITEMAPS: Grammar = COMMON | {
    "page": (
        "<urlset>«entries»</urlset>", "<?xml version='1.0' encoding='«charset»'?><urlset xmlns='x'>«entries»</urlset>",
        "<sitemapindex>«entries»</sitemapindex>", "<!DOCTYPE a [<!ENTITY e 'f'>]><urlset>«entries»",
        "«url»\n«url»\n«url»",
        "<urlset>«entries»«entries»«entries»",
    ),
    "entries": ("<url><loc>«url»</loc></url>", "«entry»«entry»", "«entry»«entries»"),
    "entry": (
        "<url><loc>«url»</loc><lastmod>«time»</lastmod></url>", "<sitemap><loc>«url»</loc></sitemap>",
        "<loc>«url»«url»",
        "<url><loc><image:loc>«url»</image:loc></loc>", "<url><news:title>«text»</news:title><loc>«url»</url>",
        "«text»", "<url/>",
    ),
    "charset": ("utf-8", "utf-16", "x", "utf-7", "iso-2022-jp", "idna", "«text»"),
}  # fmt: skip

FEEDS: Grammar = COMMON | {
    "page": (
        "<rss><channel>«items»</channel></rss>", "<feed xml:base='«url»'><link rel=next href='«url»'/>«items»</feed>",
        '{"items": [«json»], "next_url": "«url»"}', "<rdf:RDF>«items»</rdf:RDF>", '{"items": «json»', "«items»",
    ),
    "items": ("<item><link>«url»</link></item>", "«item»«item»", "«item»«items»"),
    "item": (
        "<item><title>«text»</title><link>«url»</link><pubDate>«time»</pubDate></item>",
        "<entry><link href='«url»' rel='«text»'/>",
        "<entry xml:base='«url»'><id>«url»</id><updated>«time»</updated></entry>", "<item rdf:about='«url»'/>",
        "<item><guid isPermaLink='«text»'>«url»</guid><content><link>«url»</link>",
        "<item><description>«items»</description></item>",
        "<entry><title type=html>«text»«text»</title>«item»</entry>",
    ),
    "json": (
        '{"url": "https://example.org/a"}', '{"url": "«url»", "title": "«text»", "date_published": "«time»"}', "1",
        "null", "[[[]]]",
        '{"url": 1, "title": null}, «json»', '"\\ud800"', "1e999", '{"external_url": "\\u0000", "url": []}',
    ),
}  # fmt: skip

MHTML: Grammar = {
    "page": (
        "MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>word",
        "«headers»MIME-Version: 1.0\r\nContent-Type: multipart/related; «params»boundary=\"«mark»\"\r\n\r\n«parts»",
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=«mark»\n«headers»\n«parts»",
        "«headers»MIME-Version: 1.0\r\nContent-Type: text/html; «params»\r\n\r\n<p>word",
    ),
    "headers": (
        "", "Date: Wed, 4 Mar 2026 09:00:00 +0900\r\n", "Date: «odd»\r\n",
        "Snapshot-Content-Location: «odd»\r\n«headers»",
        "Subject: =?«odd»?B?AAA?=\r\n", "X-«odd»: «odd»\r\n", "Content-Transfer-Encoding: «coding»\r\n",
    ),
    "params": (
        "", "type=\"text/html\"; ", "charset=\"«odd»\"; ", "charset*=«odd»''«odd»; ", "start=\"<«odd»>\"; ",
        "charset*0*=«odd»; charset*1=x; ",
        "boundary*=utf-8''%FF%«odd»; ", "charset=\"utf-8\"; ", "«params»«params»",
    ),
    "mark": ("b", "b", "b", "", "«odd»", "b\u00e9", "--", " b "),
    "odd": (
        "x", "", "utf-8", "https://example.org/a", "\u00e9", "\x00", "\ud800", "%", "%FF", "=?x?q?=FF?=", "\"", ";",
        "\r\n\t y", "x" * 500, "idna",
        "punycode", "unicode_escape", "zip", "utf-16\x00", "0", "99999999999999999999",
    ),
    "parts": ("--b\r\nContent-Type: text/html\r\n\r\n<p>word\r\n--b--", "«part»«part»", "«part»«parts»"),
    "part": (
        "--«mark»\r\nContent-Type: text/html; «params»\r\nContent-Transfer-Encoding: «coding»\r\n\r\n«body»\r\n",
        "--b\r\nContent-Type: multipart/alternative; boundary=«mark»\r\n\r\n«parts»\r\n", "--b--\r\n", "--b\r\n",
        "\r\n--b\r\n\r\n«body»",
        "--b\r\nContent-ID: <«odd»>\r\nContent-Type: «odd»\r\nContent-Location: «odd»\r\n\r\n«body»\r\n",
    ),
    "coding": ("7bit", "quoted-printable", "base64", "«odd»"),
    "body": ("<p>word", "=3Cp=3E=\r\n=", "PHA+d29yZA==", "PHA+d", "«odd»", "", "<p>word" * 50),
}  # fmt: skip

ARCHIVES: Grammar = {
    "page": (
        "<?xml version='1.0'?><plist><dict><key>WebMainResource</key><dict>«fields»</dict></dict></plist>",
        "<plist><dict><key>WebMainResource</key>«value»«fields»</dict></plist>",
        "<plist>«value»<!-- WebMainResource --></plist>",
        "<!DOCTYPE plist [<!ENTITY e '«value»'>]><plist><dict><key>WebMainResource</key>«value»</dict></plist>",
    ),
    "fields": (
        "<key>WebResourceData</key><data>PHA+d29yZA==</data>", "<key>WebResourceData</key>«value»«fields»",
        "<key>WebResourceURL</key>«value»«fields»", "<key>WebResourceTextEncodingName</key>«value»«fields»", "«value»",
    ),
    "value": (
        "<string>utf-8</string>", "<data>PHA+d29yZA==</data>", "<data>!</data>",
        "<string>https://example.org/</string>", "<integer>9e9</integer>",
        "<date>soon</date>", "<dict>«fields»</dict>", "<array>«value»«value»</array>", "<real>x</real>",
        "<string>&e;</string>", "<true/>",
        f"<integer>{'9' * 5000}</integer>", "<string>idna</string>", "<key/>", "<integer>0x</integer>",
        "<date>9999-99-99T99:99:99Z</date>",
    ),
}  # fmt: skip

ROBOTS: Grammar = COMMON | {
    "page": (
        "«line»", "«line»\n«line»\n«line»\n«page»", "User-agent: «agent»\n«page»", "«line»\r«page»", "\ufeff«page»",
    ),
    "line": (
        "", "Disallow: «path»", "Allow:«path»", "User-agent: «agent»", "Sitemap: «url»", "Crawl-delay: «number»",
        "Request-rate: «number»/«number»«unit»", "«text»: «text»", "disalow «path» # «text»",
        "User agent «agent»", ":", "#",
    ),
    "path": ("/", "/«path»", "*«path»", "«path»$", "%41", "%zz", "/index.html", "«url»", "\u00e9", "**", "$", "«ref»"),
    "agent": ("*", "bonmun", "bon*", "b", "other", "", "«text»"),
    "number": ("1", "0", "-1", "9" * 400, "nan", "1e400", "\u0663", "«text»"),
    "unit": ("", "s", "h", "x", " 0100-0200"),
}  # fmt: skip

GRAMMARS: Mapping[str, Grammar] = {
    "sitemap": SITEMAPS,
    "feed": FEEDS,
    "mhtml": MHTML,
    "webarchive": ARCHIVES,
    "robots": ROBOTS,
}


def make_file(random: Random) -> tuple[str, bytes]:
    """Return the name of a reader, and a file for it."""
    name = random.choice(list(READERS))
    if name == "webarchive" and random.random() < 0.5:
        return name, _flip(random, _make_binary(random))
    text = expand(random, GRAMMARS[name])
    if random.random() < MUTANT_SHARE:
        text = mutate(random, text, expand(random, GRAMMARS[name]))
    data = encode_page(random, text)
    return name, _flip(random, gzip.compress(data)) if random.random() < 0.05 else data


def _make_binary(random: Random) -> bytes:
    """Return a binary property list."""
    values = [b"<p>word", "https://example.org/", "utf-8", "\u00e9", 1, 2**60, [1], {"a": b""}, True, "x" * 400, b"y"]
    keys = ("WebResourceData", "WebResourceURL", "WebResourceTextEncodingName", "x")
    main = {key: random.choice(values) for key in keys if random.random() < 0.8}
    top = {"WebMainResource": main if random.random() < 0.9 else random.choice(values), "WebSubresources": [main] * 3}
    return plistlib.dumps(top, fmt=plistlib.FMT_BINARY)


def _flip(random: Random, data: bytes) -> bytes:
    """Return bytes with some of them changed, the last ones more often: property lists and gzip have tables there."""
    changed = bytearray(data)
    for _ in range(random.choice((0, 1, 1, 3, 10))):
        start = max(0, len(changed) - 60) if random.random() < 0.5 else 0
        byte = random.choice((0, 1, 0x0F, 0x7F, 0x80, 0xFF, random.randrange(256)))
        changed[random.randrange(start, len(changed))] = byte
    return bytes(changed)


def judge_file(name: str, data: bytes) -> Verdict:
    """Read a file, and return the error or the excess of time as a fault."""
    try:
        seconds, _ = measure(lambda: READERS[name](data))
    except BonmunError as problem:
        return Verdict(refused=type(problem).__name__)
    except Exception as problem:  # any error is a finding
        error = describe_error(problem)
        return Verdict([Fault(f"error in {name}: {error.split(':')[0]}{error[error.rfind(' in ') :]}", error)])
    limit = BASE_SECONDS + SECONDS_PER_BYTE * len(data)
    if seconds < limit:
        return Verdict()
    return Verdict([Fault(f"{name} takes long", f"{seconds:.1f} s for {len(data):,} bytes", seconds / limit)])
