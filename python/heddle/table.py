"""Tables as lists of dictionaries, with a way to pandas."""
from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable
from typing import Any

from .command import UnknownName

Row = dict[str, Any]


class Table(list[Row]):
    """Rows, each a dictionary from column to value. All rows have the same columns.

    A table is a list: table[0]["cycles"]. Notebooks show it as a table.
    """

    def __init__(self, rows: Iterable[Row] = (), columns: Iterable[str] | None = None) -> None:
        super().__init__(rows)
        self.columns: list[str] = (list(columns) if columns is not None
                                   else list(self[0]) if self else [])

    def column(self, name: str) -> list[Any]:
        """The values of a column. Raises UnknownName with the known names."""
        if name not in self.columns:
            raise UnknownName(f"no column {name!r}; there are {', '.join(self.columns)}")
        return [row[name] for row in self]

    def where(self, **values: Any) -> Table:
        """The rows that have these values: where(gpu="gtx480", scheduler="gto")."""
        for name in values:
            self.column(name)
        return Table((row for row in self
                      if all(row[name] == value for name, value in values.items())), self.columns)

    def sorted_by(self, *names: str, descending: bool = False) -> Table:
        """The rows, sorted by columns. None comes first."""
        def key(row: Row) -> list[tuple[bool, Any]]:
            return [(row[name] is not None, row[name]) for name in names]
        return Table(sorted(self, key=key, reverse=descending), self.columns)

    def pivot(self, index: str, columns: str, values: str) -> Table:
        """One row per value of `index` and one column per value of `columns`. A cell without a
        value is None."""
        names = list(dict.fromkeys(self.column(columns)))
        rows: dict[Any, Row] = {}
        for row in self:
            cells = rows.setdefault(row[index], {index: row[index], **dict.fromkeys(names)})
            cells[row[columns]] = row[values]
        return Table(rows.values(), [index, *names])

    def csv(self) -> str:
        """The table as CSV with a line of column names."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self)
        return text.getvalue()

    def frame(self) -> Any:
        """The table as a pandas.DataFrame. Raises ImportError when pandas is not installed."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("Table.frame() needs pandas; install python3-pandas") from missing
        return pandas.DataFrame(list(self), columns=self.columns)

    def _repr_html_(self) -> str:
        def line(cells: Iterable[Any], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(shown(cell))}</{tag}>"
                                    for cell in cells) + "</tr>"
        body = "".join(line((row[name] for name in self.columns), "td") for row in self)
        return f"<table><thead>{line(self.columns, 'th')}</thead><tbody>{body}</tbody></table>"


def shown(value: Any) -> str:
    """A value as notebooks show it: integers with separators, other numbers with four digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
