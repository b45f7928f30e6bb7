"""Runs every query of queries.md on the lake of the samples; called by test_small.py."""

from __future__ import annotations

import re
from pathlib import Path

from pyspark.sql import SparkSession

PAGE = Path(__file__).resolve().parent.parent / "queries.md"
BLOCK = re.compile(r"^## (.+?)$.*?^```sql\n(.+?)^```$", re.MULTILINE | re.DOTALL)
# These have nothing to tell of good samples.
MAY_BE_EMPTY = {"Which stores could not be read, and why?",
                "Are some of them the same, byte for byte?",
                "Which items did several devices have, and what gave way?",
                "Which values could not be taken over?"}


def queries_of_the_page_have_answers(spark: SparkSession, lake: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    set_up = re.search(r"^```python\n(.+?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
    set_up = set_up.replace("fleet-output/lake", str(lake))
    # As in a session of its own, where letter case does not count.
    spark.conf.set("spark.sql.caseSensitive", "false")
    exec(compile(set_up, str(PAGE), "exec"), {})
    found = BLOCK.findall(text)
    assert len(found) == text.count("```sql")
    for title, query in found:
        # Python has no times in the first hours of the year 1, which some apps write.
        rows = spark.sql(query).toJSON().collect()
        assert rows or title in MAY_BE_EMPTY, f"{title}: no rows"
    spark.conf.set("spark.sql.caseSensitive", "true")
