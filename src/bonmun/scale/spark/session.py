"""The Spark session, with settings that keep memory flat where a row is a whole page."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError, MissingExtra
from bonmun.scale.spark.error_messages import shorten

try:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema
except ImportError:
    raise MissingExtra("A cluster is used through PySpark: pip install 'bonmun[spark]'.") from None

__all__ = ["SETTINGS", "from_arrow_schema", "make_session", "read_hadoop_settings", "spark_errors"]

if TYPE_CHECKING:
    from collections.abc import Iterator

HADOOP = "spark.hadoop."
ALONE = {  # where nobody has said which cluster: this machine, on which a task that fails is tried again
    "spark.master": "local[*,4]",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
SETTINGS = {  # of any cluster; each can be set otherwise
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",  # pages that go to a Python worker at once
    "spark.sql.execution.arrow.maxBytesPerBatch": "4m",  # or so many bytes of them, and one page more
    "spark.sql.parquet.columnarReaderBatchSize": "64",  # pages that are unpacked of a Parquet file at once
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "200",  # fewer, where there is little: Spark joins small ones
}


def make_session(name: str = "bonmun", **settings: str) -> Any:
    """The session that there is, or a new one; settings of `spark-submit` and its files are kept."""
    conf = SparkConf()
    if not conf.contains("spark.master"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for key, value in ALONE.items():
            conf.setIfMissing(key, value)
    for key, value in SETTINGS.items():
        conf.setIfMissing(key, value)
    for key, value in settings.items():
        conf.set(key, value)
    session = SparkSession.builder.appName(name).config(conf=conf).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def read_hadoop_settings(session: Any) -> dict[str, str]:
    """What Hadoop's connectors are told by settings of Spark, such as credentials."""
    every = session.sparkContext.getConf().getAll()
    return {key.removeprefix(HADOOP): value for key, value in every if key.startswith(HADOOP)}


@contextmanager
def spark_errors() -> Iterator[None]:
    """What Spark raises, pages long, becomes one sentence."""
    try:
        yield
    except (PySparkException, Py4JError) as problem:
        raise BonmunError(f"Spark gave up: {shorten(str(problem))}") from problem
