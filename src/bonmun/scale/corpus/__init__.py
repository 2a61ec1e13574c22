"""Many pages: records in and out, counts, engines. The work itself is in `batches`: Arrow batch in, Arrow batch out."""
