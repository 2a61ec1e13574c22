"""Open files as streams in a worker: local files directly, others through the connectors of Hadoop.

Python workers cannot read HDFS or S3, and Spark returns a file as one value of at most 2 GiB. So the worker starts the
command `cat` of Hadoop from the jars of Spark and reads its output. This works for files of any size, with the
connectors and settings of the cluster.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast
from xml.sax.saxutils import escape

from bonmun.errors import FetchFailed, MissingExtra, MissingInput
from bonmun.work.programs import find_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["escape_glob", "has_scheme", "make_uri", "open_file"]

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
GLOB_CHARACTER = re.compile(r"([\[\]{}*?\\])")
HADOOP_SHELL = "org.apache.hadoop.fs.FsShell"
JAVA_OPTIONS = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # for a fast start, since it only copies
MAX_ERROR_CHARS = 300


def has_scheme(path: str) -> bool:
    """Return whether a path is a URI with a scheme: `hdfs://…`, `s3a://…`."""
    return bool(SCHEME.match(path))


def escape_glob(path: str) -> str:
    """Escape the wildcards in a path, so that Hadoop does not expand them."""
    return GLOB_CHARACTER.sub(r"\\\1", path)


def make_uri(path: str) -> str:
    """Return a URI for Spark. A path without a scheme is local, whatever the default file system of the cluster."""
    return path if has_scheme(path) else f"file://{Path(path).absolute()}"


@contextmanager
def open_file(path: str, settings: Mapping[str, str]) -> Iterator[BinaryIO]:
    """Open a file for reading; `settings` are for the connectors of Hadoop."""
    if has_scheme(path) and not path.startswith("file:"):
        with _read_through_hadoop(path, settings) as stream:
            yield stream
        return
    try:
        file = Path(re.sub("^file:/+", "/", path)).open("rb")  # noqa: SIM115 - `with` would also catch errors of the caller
    except OSError as problem:
        raise MissingInput(f"{path}: cannot be opened by a worker: {problem.strerror}.") from None
    with file:
        yield file


@contextmanager
def _read_through_hadoop(path: str, settings: Mapping[str, str]) -> Iterator[BinaryIO]:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        Path(folder, "core-site.xml").write_text("<configuration/>")  # in case the machine has none
        settings_file = Path(folder, "settings.xml")  # arguments would be visible to all users of the machine
        settings_file.write_text(_format_settings(settings))
        command = [_find_java(), *JAVA_OPTIONS, "-cp", os.pathsep.join(_list_jars(folder)), HADOOP_SHELL]
        command += ["-conf", str(settings_file), "-cat", escape_glob(path)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        try:
            yield cast("BinaryIO", io.BufferedReader(_ProcessStream(path, process, errors), 1 << 16))
        finally:
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()


class _ProcessStream(io.RawIOBase):
    """The output of a process. Reading raises an error if the process fails, so a file is never truncated silently."""

    def __init__(self, path: str, process: subprocess.Popen[bytes], errors: BinaryIO) -> None:
        self.path, self.process, self.errors = path, process, errors

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # io.RawIOBase passes a memoryview
        """Read the next bytes; none at the end."""
        assert self.process.stdout
        data = self.process.stdout.read1(len(buffer))  # type: ignore[attr-defined] # it is a BufferedReader
        buffer[: len(data)] = data
        if not data and self.process.wait():
            self.errors.seek(0)
            reason = " ".join(self.errors.read().decode("utf-8", "replace").split())[-MAX_ERROR_CHARS:]
            raise FetchFailed(f"{self.path}: Hadoop could not read it: {reason}")
        return len(data)


def _format_settings(settings: Mapping[str, str]) -> str:
    properties = (
        f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
        for name, value in settings.items()
    )
    return f"<configuration>{''.join(properties)}</configuration>"


def _find_java() -> str:
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home, "bin", "java"))
    found = find_program("java")
    if found is None:
        raise MissingExtra("A worker needs Java to read this file: install it there, or set JAVA_HOME.")
    return found


def _list_jars(folder: str) -> list[str]:
    """Return the class path: settings of Hadoop, our settings, the jars of the job and those of Spark."""
    import pyspark

    places = [os.environ.get("HADOOP_CONF_DIR"), folder, f"{pyspark.SparkFiles.getRootDirectory()}/*"]
    if home := os.environ.get("SPARK_HOME"):
        places.append(f"{home}/jars/*")
    places += [f"{Path(pyspark.__file__).parent}/jars/*", "__spark_libs__/*", os.environ.get("SPARK_DIST_CLASSPATH")]
    return [place for place in places if place]
