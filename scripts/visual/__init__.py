"""Paper 2's experiment: TabNet over laid-out pages, taught on English ones, measured on all languages.

    .venv/bin/python -m scripts.visual SNAPSHOTS OUT

does all of it, and goes on where it was stopped (`--models` and `--texts` add other people's systems to the table,
`--limit` measures on fewer pages):

| step | file | what it does |
|---|---|---|
| `rows` | rows.py | snapshots of the labelled sets → a table for each page, with the elements that are main text |
| `fit` | fit.py | tables → weights, one file for each variant in variants.py; this alone needs torch |
| `choose` | choose.py | the threshold and the rule of the mended form, on the valid part |
| `measure` | measure.py | every system in systems.py on every test page: LCS and Block |
| `table` | tables.py, pictures.py | the paper's Table 2 as Markdown, Figures 1 to 4 as SVG |
"""
