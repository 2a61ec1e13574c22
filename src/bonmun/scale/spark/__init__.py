"""Process many pages on a cluster: the work of `scale.corpus` with Apache Spark DataFrames."""
