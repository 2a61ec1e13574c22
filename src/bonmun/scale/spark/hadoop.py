"""Files that any worker opens as a stream: by path where its machine has them, else through Hadoop's own connectors.

Python workers know nothing of HDFS or S3, and Spark itself gives a file as one value, of 2 GiB at most. So the worker
starts Hadoop's own `cat`, of the jars that Spark has, and reads from it: files of any size, with the connectors and the
settings of the cluster.
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

from bonmun.errors import FetchFailed, MissingInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["escape_glob", "has_scheme", "name_place", "open_file"]

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
GLOB = re.compile(r"([\[\]{}*?\\])")
CAT = "org.apache.hadoop.fs.FsShell"
JAVA_OPTIONS = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # it only copies, and should start fast
SAID_CHARS = 300  # of what Hadoop says, at most


def has_scheme(path: str) -> bool:
    """Whether a path says which file system it is of: `hdfs://…`, `s3a://…`."""
    return bool(SCHEME.match(path))


def escape_glob(path: str) -> str:
    """A path that Hadoop takes as it stands: names with stars and brackets are not patterns."""
    return GLOB.sub(r"\\\1", path)


def name_place(path: str) -> str:
    """A path for Spark: without a scheme it is of this machine, wherever the cluster looks by itself."""
    return path if has_scheme(path) else f"file://{Path(path).absolute()}"


@contextmanager
def open_file(path: str, settings: Mapping[str, str]) -> Iterator[BinaryIO]:
    """A file open for reading; `settings` are for Hadoop's connectors."""
    if has_scheme(path) and not path.startswith("file:"):
        with _read_through_hadoop(path, settings) as stream:
            yield stream
        return
    try:
        file = Path(re.sub("^file:/+", "/", path)).open("rb")  # noqa: SIM115 - a `with` would take errors of the block
    except OSError as problem:
        raise MissingInput(f"{path}: cannot be opened by a worker: {problem.strerror}.") from None
    with file:
        yield file


@contextmanager
def _read_through_hadoop(path: str, settings: Mapping[str, str]) -> Iterator[BinaryIO]:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as says:
        Path(folder, "core-site.xml").write_text("<configuration/>")  # where the machine has none
        told = Path(folder, "told.xml")  # not as arguments, which all users of a machine see
        told.write_text(_write_settings(settings))
        command = [_find_java(), *JAVA_OPTIONS, "-cp", os.pathsep.join(_list_jars(folder)), CAT]
        command += ["-conf", str(told), "-cat", escape_glob(path)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=says)
        try:
            yield cast("BinaryIO", io.BufferedReader(_Stream(path, process, says), 1 << 16))
        finally:
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()


class _Stream(io.RawIOBase):
    """What a process writes. If the process fails, so does reading: a file cut on its way is not a short one."""

    def __init__(self, path: str, process: subprocess.Popen[bytes], says: BinaryIO) -> None:
        self.path, self.process, self.says = path, process, says

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # as io.RawIOBase calls it
        """The next bytes; none at the end."""
        assert self.process.stdout
        data = self.process.stdout.read1(len(buffer))  # type: ignore[attr-defined] # it is a BufferedReader
        buffer[: len(data)] = data
        if not data and self.process.wait():
            self.says.seek(0)
            said = " ".join(self.says.read().decode("utf-8", "replace").split())[-SAID_CHARS:]
            raise FetchFailed(f"{self.path}: Hadoop could not read it: {said}")
        return len(data)


def _write_settings(settings: Mapping[str, str]) -> str:
    properties = (
        f"<property><name>{escape(name)}</name><value>{escape(value)}</value></property>"
        for name, value in settings.items()
    )
    return f"<configuration>{''.join(properties)}</configuration>"


def _find_java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home, "bin", "java")) if home else "java"


def _list_jars(folder: str) -> list[str]:
    """Where Java looks: the machine's settings of Hadoop, ours, the jars of the job and those of Spark."""
    import pyspark

    places = [os.environ.get("HADOOP_CONF_DIR"), folder, f"{pyspark.SparkFiles.getRootDirectory()}/*"]
    if home := os.environ.get("SPARK_HOME"):
        places.append(f"{home}/jars/*")
    places += [f"{Path(pyspark.__file__).parent}/jars/*", "__spark_libs__/*", os.environ.get("SPARK_DIST_CLASSPATH")]
    return [place for place in places if place]
