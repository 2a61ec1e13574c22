"""Pages in the formats that browsers save."""

from __future__ import annotations

import base64
import binascii
import plistlib

__all__ = ["PAGE", "TEXT", "URL", "make_mhtml", "make_single_file", "make_webarchive"]

TEXT = "마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다. Some words that are long enough to be read as a paragraph of text."
PAGE = f"<!DOCTYPE html><html lang=ko><title>등대</title><body><h1>등대</h1><p>By Ann Lee · 2 days ago</p><p>{TEXT}</p>"
URL = "https://news.example/lamp?id=1"


def make_mhtml(
    page: bytes = PAGE.encode(), coding: str = "quoted-printable", charset: str = "utf-8", newline: bytes = b"\r\n"
) -> bytes:
    """Return a page as Chrome saves it, followed by an image."""
    packed = {
        "quoted-printable": binascii.b2a_qp(page, istext=False),
        "base64": base64.encodebytes(page),
        "8bit": page,
    }[coding]
    lines = [
        b"From: <Saved by Blink>",
        f"Snapshot-Content-Location: {URL}".encode(),
        b"Subject: =?utf-8?Q?=EB=93=B1=EB=8C=80?=",
        b"Date: Wed, 4 Mar 2026 09:00:00 -0000",
        b"MIME-Version: 1.0",
        b"Content-Type: multipart/related;",
        b'\ttype="text/html";',
        b'\tboundary="----MultipartBoundary--x----"',
        b"",
        b"",
        b"------MultipartBoundary--x----",
        f"Content-Type: text/html; charset={charset}".encode(),
        b"Content-ID: <frame-1@mhtml.blink>",
        f"Content-Transfer-Encoding: {coding}".encode(),
        f"Content-Location: {URL}".encode(),
        b"",
        packed,
        b"------MultipartBoundary--x----",
        b"Content-Type: image/png",
        b"Content-Transfer-Encoding: base64",
        b"Content-Location: https://news.example/lamp.png",
        b"",
        b"iVBORw0KGgo=",
        b"------MultipartBoundary--x------",
        b"",
    ]
    return newline.join(lines)


def make_webarchive(page: bytes = PAGE.encode(), encoding: str = "UTF-8", *, binary: bool = True) -> bytes:
    """Return a page as Safari saves it."""
    main = {
        "WebResourceData": page,
        "WebResourceFrameName": "",
        "WebResourceMIMEType": "text/html",
        "WebResourceTextEncodingName": encoding,
        "WebResourceURL": URL,
    }
    other = {"WebResourceData": b"\x89PNG", "WebResourceURL": "https://news.example/등대.png"}
    values = {"WebMainResource": main, "WebSubresources": [other]}
    return plistlib.dumps(values, fmt=plistlib.FMT_BINARY if binary else plistlib.FMT_XML)


def make_single_file(page: str = PAGE) -> str:
    """Return a page as SingleFile saves it, with an image in it."""
    said = f"Page saved with SingleFile \n url: {URL} \n saved date: Wed Mar 04 2026 18:00:00 GMT+0900 (KST)"
    image = '<img src="data:image/png;base64,{}">'.format("iVBORw0KGgo" * 1000)
    return page.replace("<html lang=ko>", f"<html lang=ko><!--\n {said}\n-->").replace("<h1>", f"{image}<h1>")
