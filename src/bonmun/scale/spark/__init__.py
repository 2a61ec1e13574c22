"""Many pages on many machines: the work of `corpus/` as DataFrames of Apache Spark."""
