"""The experiment of paper 2: TabNet over rendered pages, trained on English pages, measured on all languages.

    .venv/bin/python -m scripts.visual SNAPSHOTS OUT

runs all steps; run it again to resume an interrupted run. `--models` and `--texts` add other systems to the table,
`--limit` measures fewer pages.

| step | file | description |
|---|---|---|
| `rows` | rows.py | make a table of elements for each snapshot of the labelled sets |
| `fit` | fit.py | train each variant in variants.py on the tables; the only step that needs torch |
| `choose` | choose.py | choose threshold and rule of the tuned variants on the valid part |
| `measure` | measure.py | measure LCS and Block of every system in systems.py on every test page |
| `table` | tables.py, pictures.py | write the paper's Table 2 as Markdown, and Figures 1 to 4 as SVG |
"""
