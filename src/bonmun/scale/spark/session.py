"""The Spark session, with settings that limit the memory of rows with whole pages, and errors of Spark."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError, MissingExtra
from bonmun.work.programs import SAFE_PATH

try:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema
except ImportError:
    raise MissingExtra("Spark commands need PySpark: pip install 'bonmun[spark]'.") from None

__all__ = ["SETTINGS", "from_arrow_schema", "make_session", "read_hadoop_settings", "spark_errors"]

if TYPE_CHECKING:
    from collections.abc import Iterator

BONMUN_ERROR = re.compile(r"bonmun\.errors\.\w+: ([^\n]+)")  # raised by a worker, in the error of Spark
MAX_ERROR_CHARS = 300
HADOOP_PREFIX = "spark.hadoop."
LOCAL_SETTINGS = {  # without a cluster: all cores of this machine, and 4 attempts for a task
    "spark.master": "local[*,4]",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
SETTINGS = {  # defaults for any cluster
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",  # pages sent to a Python worker at a time
    "spark.sql.execution.arrow.maxBytesPerBatch": "4m",  # the last page may exceed it
    "spark.sql.parquet.columnarReaderBatchSize": "4",  # pages of a Parquet file decompressed at a time, of any size
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "200",  # maximum; Spark joins small partitions
    f"spark.executorEnv.{SAFE_PATH}": "1",  # Python workers import no modules from their working directory
}


def make_session(name: str = "bonmun", **settings: str) -> Any:
    """Return the existing session or a new one. Settings of `spark-submit` and its files are retained."""
    conf = SparkConf()
    if not conf.contains("spark.master"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for key, value in LOCAL_SETTINGS.items():
            conf.setIfMissing(key, value)
    for key, value in SETTINGS.items():
        conf.setIfMissing(key, value)
    for key, value in settings.items():
        conf.set(key, value)
    session = SparkSession.builder.appName(name).config(conf=conf).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def read_hadoop_settings(session: Any) -> dict[str, str]:
    """Return the settings for the connectors of Hadoop, such as credentials."""
    settings = session.sparkContext.getConf().getAll()
    return {key.removeprefix(HADOOP_PREFIX): value for key, value in settings if key.startswith(HADOOP_PREFIX)}


@contextmanager
def spark_errors() -> Iterator[None]:
    """Turn the long errors of Spark into a BonmunError of one line."""
    try:
        yield
    except (PySparkException, Py4JError) as problem:
        raise BonmunError(f"Spark failed: {_shorten(str(problem))}") from problem


def _shorten(message: str) -> str:
    """Return the error of bonmun within a message of Spark, or else the start of the message."""
    found = BONMUN_ERROR.search(message)
    return found[1] if found else " ".join(message.split())[:MAX_ERROR_CHARS]
