"""The table of choices of a compiled model."""
import html

COLUMNS = ("op", "workload", "choice", "predicted_seconds")


def readable(seconds):
    """1.05e-3 as 1.050 ms."""
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            break
    return f"{seconds * scale:.3f} {unit}"


class Explanation(list):
    """One dictionary for each contraction: `pandas.DataFrame(fast.explain())`. Notebooks show it as a table."""

    def cells(self):
        """The rows as texts."""
        return [[str(row["op"]), row["workload"], row["choice"] or "-", readable(row["predicted_seconds"])]
                for row in self]

    def _repr_html_(self):
        def line(tag, cells):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return "\n".join(["<table>", line("th", COLUMNS), *(line("td", cells) for cells in self.cells()), "</table>"])

    def __str__(self):
        rows = [list(COLUMNS), *self.cells()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def explanation(description):
    """An Explanation of what a library says of its ops."""
    return Explanation({column: op.get(column) for column in COLUMNS} for op in description["ops"])
