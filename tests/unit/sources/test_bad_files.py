"""Files that cannot be read say why, in one line that holds no data value."""

from __future__ import annotations

import errno
import gzip
import io
import os
import re
import sqlite3
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import duckdb
import pytest

from dpwilcoxon.errors import DataError, InvalidArgument, SourceError
from dpwilcoxon.sources.files import open_table, pairs_from_file
from dpwilcoxon.sources.inputs import HEAD_BYTES
from dpwilcoxon.sources.layout import Layout
from dpwilcoxon.sources.memory import Resources
from dpwilcoxon.sources.reading import open_pairs
from dpwilcoxon.sources.samples import read_pairs

SENTINEL = "987654.321"


def refusal(path, before="a", after="b", **options) -> str:
    """The message with which a file is refused, checked to be one line without data."""
    with pytest.raises((DataError, InvalidArgument)) as caught:
        pairs_from_file(path, before=before, after=after, **options)
    message = str(caught.value)
    assert SENTINEL not in message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    return message


def written(path: Path, content: str | bytes) -> Path:
    """Write a small file."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


BAD_CSV = {
    "text": (f"a,b\n1,2\n1,{SENTINEL}x\n", "'b' holds text .* data row 2 \\(line 3 of the file\\)"),
    "text after a blank line": (f"\na,b\n\n1,2\n1,x{SENTINEL}\n", "data row 2 \\(line 5"),
    "text after a long field": (f'n,a,b\n"x\ny",1,2\nz,1,{SENTINEL}-\n', "data row 2 \\(line 4"),
    "thousands": (f'a,b\n1,"987,654.321"\n{SENTINEL},1\n', "text"),
    "digit groups": ("a,b\n987_654.321,1\n", "text"),
    "hexadecimal": ("a,b\n0x987654,1\n", "text"),
    "decimal comma": ("a;b\n987654,321;1\n", "text"),
    "sign alone": (f"a,b\n{SENTINEL},+\n", "text"),
    "point alone": (f"a,b\n{SENTINEL},.\n", "text"),
    "no such day": ("a,b\n2024-02-30,2024-01-01\n", "text"),
    "exponent": (f"a,b\n{SENTINEL}e999,1\n", "exponent beyond 400"),
    "huge exponent": (f"a,b\n{SENTINEL}e99999999999999999999,1\n", "exponent beyond 400"),
    "dates among numbers": (f"a,b\n1,{SENTINEL}\n1,2\n1,2024-01-01\n", "mixes .* data row 3"),
    "truth among numbers": (f"a,b\n{SENTINEL},1\n0,1\ntrue,1\n", "mixes .* data row 3"),
    "a day and a number": (f"a,b\n2024-01-01,{SENTINEL}\n", "cannot be subtracted"),
    "missing": (f"a,b\n{SENTINEL},1\n{SENTINEL},NA\n", "missing"),
    "only missing": ("a,b\n1,\n2,\n", "missing"),
    "short row": (f"a,b,c\n1,2,3\n{SENTINEL},{SENTINEL}\n", "2 fields in line 3, but .* has 3"),
    "long row": (f"a,b\n1,2\n\n{SENTINEL},1,{SENTINEL}\n", "3 fields in line 4, but .* has 2"),
    "open quote": (f'a,b\n1,2\n"{SENTINEL},3\n', "quoted field .* line 3"),
    "text behind a quote": (f'a,b\n1,2\n"{SENTINEL}"7,3\n', "quoted field .* line 3"),
    "mixed line endings": (f"a,b\r\n1,2\n{SENTINEL},3\r\n", "line endings"),
    "not UTF-8": (b"a,b\n1,2\n\xe9987654.321,3\n", "not UTF-8 text: see line 3"),
    "header not UTF-8": (b"a,b,gr\xf6\xdfe\n1,2,987654.321\n", "not UTF-8 text: see line 1"),
    "UTF-16": ("\ufeffa,b\n1,2\n".encode("utf-16-le"), "is UTF-16 text"),
    "two columns of one name": (f"a,b, a\n1,2,{SENTINEL}\n", "2 columns called 'a'"),
    "no header": (f"{SENTINEL},1\n1,2\n", "first line looks like data"),
    "only a header": ("a,b\n", "no rows of data \\(n = 0\\)"),
    "only a header, no line end": ("a,b", "no rows of data \\(n = 0\\)"),
    "nothing": ("", "is empty"),
    "a header beyond reason": ("a" * 200_000 + f",b\n1,{SENTINEL}\n", "no header line"),
    "text after a field beyond reason": (
        f"a,b,c\n1,2,{'x' * 200_000}\n1,{SENTINEL}x,2\n",
        "first in data row 2; correct",
    ),
    "nothing visible": (" \n\n", "no header line"),
    "JSON": (f'{{"a": {SENTINEL}, "b": 1}}\n', "first line looks like data"),
    "Parquet": (b"PAR1\x00" + SENTINEL.encode(), "is a Parquet file, .* format option: parquet"),
    "spreadsheet": (b"PK\x03\x04" + SENTINEL.encode(), "spreadsheet, .* save it as UTF-8 text"),
    "binary": (b"a,b\n1,\x00987654.321\n", "binary data"),
    "damaged compression": (
        gzip.compress(b"a,b\n" + b"1,987654.321\n" * 9999, mtime=0)[:99],
        "damaged",
    ),
    "damaged header": (gzip.compress(b"a,b\n1,987654.321\n", mtime=0)[:12], "damaged"),
}


@pytest.mark.parametrize(("content", "reason"), BAD_CSV.values(), ids=BAD_CSV.keys())
def test_bad_csv(tmp_path, content, reason):
    """Each kind of mistake is named, with its place."""
    assert re.search(reason, refusal(written(tmp_path / "x.csv", content)))


BAD_JSON = {
    "CSV": (f"a,b\n1,{SENTINEL}\n", "is not JSON"),
    "byte-order mark": (f'\ufeff{{"a":1,"b":{SENTINEL}}}\n', "begins with a byte-order mark; save"),
    "broken line": (f'{{"a":1,"b":2}}\n\n{{"a":{SENTINEL},,}}\n{{"a":1}}\n', "see line 3"),
    "open line": (f'{{"a":1,"b":2}}\n{{"a":{SENTINEL}', "see line 2"),
    "no object": (f'{{"a":1,"b":2}}\n{SENTINEL}\n', "see line 2"),
    "an array": (f'[{{"a":1,"b":{SENTINEL}}}]', "one object per line"),
    "nested": (
        f'{{"a":1,"b":[{SENTINEL}]}}\n',
        "text where a number is needed, first in data row 1",
    ),
    "text": (f'{{"a":1,"b":2}}\n{{"a":1,"b":"{SENTINEL}x"}}\n', "data row 2"),
    "not UTF-8": (b'{"a":1,"b":"\xe9987654.321"}\n', "not UTF-8"),
    "nothing": ("\n\n", "no rows of data"),
    "only Python reads it": (
        f'{{"a":1,"b":{SENTINEL}}}\n{{"a":1,"b":"\\ud800"}}\n',
        "as JSON; one object per",
    ),
    "damaged compression": (gzip.compress(b'{"a":1,"b":987654.321}\n', mtime=0)[:9], "damaged"),
}


@pytest.mark.parametrize(("content", "reason"), BAD_JSON.values(), ids=BAD_JSON.keys())
def test_bad_json(tmp_path, content, reason):
    """Each kind of mistake is named, with the line that DuckDB does not count reliably."""
    assert re.search(reason, refusal(written(tmp_path / "x.jsonl", content)))


@pytest.mark.parametrize(
    "kind", ["INTERVAL", "TIME", "BLOB", "UUID", "INTEGER[]", "STRUCT(x INTEGER)", "VARCHAR[]"]
)
def test_parquet_columns_that_are_no_measurements(tmp_path, kind):
    """A type without differences is refused by name."""
    path = tmp_path / "x.parquet"
    duckdb.sql(f"SELECT 1 AS a, NULL::{kind} AS b").write_parquet(str(path))
    assert "is not a measurement" in refusal(path)


def test_damaged_parquet(tmp_path):
    """A Parquet file cut short is damaged, and says nothing else."""
    path = tmp_path / "x.parquet"
    duckdb.sql(f"SELECT {SENTINEL} AS a, 1 AS b").write_parquet(str(path))
    path.write_bytes(path.read_bytes()[:-20])
    assert "damaged" in refusal(path)
    assert "not a Parquet file" in refusal(written(path, "a,b\n1,2\n"))


def test_parquet_text_is_parsed_like_other_text(tmp_path):
    """A Parquet column of strings may hold numbers, and its mistakes are found by their row."""
    path = tmp_path / "x.parquet"
    rows = duckdb.sql(f"FROM (VALUES ('1', 2), ('{SENTINEL}x', 3)) t(a, b)")
    rows.write_parquet(str(path))
    assert "'a' holds text where a number is needed, first in data row 2" in refusal(path)


def test_parquet_without_rows(tmp_path):
    """n = 0 is refused in typed files too."""
    path = tmp_path / "x.parquet"
    duckdb.sql("SELECT 1 AS a, 1 AS b WHERE false").write_parquet(str(path))
    assert "n = 0" in refusal(path)


def test_mistakes_in_zstd_are_found_by_their_row(tmp_path):
    """Python cannot count the lines of a zstd file, so rows must do."""
    path = tmp_path / "x.csv.zst"
    rows = duckdb.sql(f"FROM (VALUES ('1', '2'), ('1', '{SENTINEL}x')) t(a, b)")
    rows.write_csv(str(path), compression="zstd")
    assert "first in data row 2; correct" in refusal(path)
    path = tmp_path / "x.jsonl.zst"
    rows = duckdb.sql(f"SELECT '{{\"a\": {SENTINEL},,}}'")
    rows.write_csv(str(path), compression="zstd", header=False, quotechar="", sep="\x1f")
    assert "cannot be read as JSON; one object per line" in refusal(path)


def test_skippable_frames_of_zstd(tmp_path):
    """A frame without content is passed over, whole or not at all."""
    whole = compressed(tmp_path, "zstd")
    frame = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"
    path = written(tmp_path / "x.csv", whole + frame)
    assert pairs_from_file(path, before="a", after="b").n == 30_000
    assert "damaged" in refusal(written(tmp_path / "x.csv", whole + frame[:-1]))


def test_damage_behind_the_first_bytes_of_a_header(tmp_path):
    """A header line longer than what is looked at first is still read through gzip."""
    names = ",".join(f"column {index}" for index in range(5_000))
    content = gzip.compress(f"a,b,{names}\n".encode(), compresslevel=0)
    assert "damaged" in refusal(written(tmp_path / "x.csv", content[:9_000]))


def test_damaged_zstd(tmp_path):
    """What looks compressed but is not cannot be read."""
    assert "decompressed" in refusal(written(tmp_path / "x.csv", b"\x28\xb5\x2f\xfd" + b"9" * 50))


def test_missing_file_and_directory(tmp_path):
    """The system's reasons are passed on in our words."""
    assert "There is no file" in refusal(tmp_path / "absent.csv")
    (tmp_path / "folder.csv").mkdir()
    assert "is a directory" in refusal(tmp_path / "folder.csv")
    written(tmp_path / "file", "")
    assert "cannot be read" in refusal(tmp_path / "file" / "x.csv")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x.xlsx", "save the sheet as CSV"),
        ("x.duckdb", "name it by its address, 'duckdb://"),
        ("x.dat", "csv, tsv, parquet, json"),
        ("x", "csv, tsv, parquet, json"),
        ("x.gz", "csv, tsv, parquet, json"),
    ],
)
def test_names_that_tell_no_format(tmp_path, name, reason):
    """The format is never guessed from the content."""
    path = written(tmp_path / name, "a,b\n1,2\n")
    assert reason in refusal(path)
    assert pairs_from_file(path, before="a", after="b", file_format="csv").n == 1


def test_unknown_format(tmp_path):
    """A misspelt format lists the right ones."""
    assert "'csv', 'tsv', 'parquet', 'json'" in refusal(tmp_path / "x.csv", file_format="xml")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("systolic_befor", "did you mean 'systolic_before'"),
        ("Systolic_Before", "did you mean 'systolic_before'"),
        ("weight", "Its columns are 'id', 'systolic_before', 'systolic_after'."),
    ],
)
@pytest.mark.parametrize("extension", ["csv", "jsonl", "parquet"])
def test_nearest_names(tmp_path, wanted, expected, extension):
    """A column that does not exist brings up its nearest names, in every format."""
    path = tmp_path / f"x.{extension}"
    row = duckdb.sql("SELECT 1 AS id, 2 AS systolic_before, 3 AS systolic_after")
    if extension == "parquet":
        row.write_parquet(str(path))
    elif extension == "csv":
        row.write_csv(str(path))
    else:
        written(path, '{"id": 1, "systolic_before": 2, "systolic_after": 3}\n')
        expected = expected.replace("'systolic_before', 'systolic_after'.", "'systolic_")
    if extension == "csv":  # whose first line may be a person
        expected = re.sub("Its columns are.*", "it has 3 columns, and none", expected)
    message = refusal(path, before=wanted, after="systolic_after")
    assert f"no column {wanted!r}" in message
    assert expected in message


def test_many_columns_are_counted_instead_of_listed(tmp_path):
    """A wide file does not fill the screen."""
    names = [f"measurement {index}" for index in range(50)]
    path = written(tmp_path / "x.csv", ",".join(names) + "\n")
    assert "it has 50 columns" in refusal(path, before="zzz", after="measurement 1")
    assert "did you mean" in refusal(path, before="mesurement 7", after="measurement 1")


def test_a_long_name_is_cut(tmp_path):
    """A header without line breaks does not fill the screen either."""
    path = written(tmp_path / "x.csv", "x" * 5000 + ",b\n")
    assert len(refusal(path)) < 300


def test_names_of_rows_that_look_like_numbers_can_be_used(tmp_path):
    """Columns called 2019 and 2020 are columns; only when one is missing are they not shown."""
    path = written(tmp_path / "x.csv", "2019,2020\n1,2\n")
    assert pairs_from_file(path, before="2019", after="2020").n == 1
    assert "2020" not in refusal(path, before="2019", after="2021")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Smith,John,yes\nDoe,Jane,no\n", "it has 3 columns, .* first line names the columns"),
        ("Smith\tJohn\tyes\nDoe\tJane\tno\n", "it has 1 column, .* format option: tsv"),
        ("Smith|John|yes\nDoe|Jane|no\n", "it has 1 column, .* what separates its fields"),
        ("Smith\tJohn\t142\t131\nDoe\tJane\t1\t2\n", "first line looks like data"),
        ("Smith|142|131\nDoe|1|2\n", "first line looks like data"),
        ("Smith;John;142\nDoe;Jane;1\n", "first line looks like data"),
    ],
)
@pytest.mark.parametrize("layout", ["plain", "units", "expression"])
def test_a_first_line_that_is_a_person_is_not_shown(tmp_path, text, hint, layout):
    """Without a header line, or with another delimiter, the names of columns are values."""
    path = written(tmp_path / "x.csv", text)
    options = {
        "plain": {"before": "a", "after": "b"},
        "units": {"before": "a", "after": "b", "unit": "id"},
        "expression": {"difference": "a - b"},
    }[layout]
    with pytest.raises(SourceError, match=hint) as refused:
        read_pairs(path, **options)
    shown = str(refused.value)
    assert not any(word in shown for word in ("Smith", "John", "yes", "142", "131"))


def test_names_that_cannot_be_opened(tmp_path, monkeypatch):
    """What the system has to say is an error of the source, not a bug."""
    for name, reason in (
        ("", "is empty"),
        ("x" * 300 + ".csv", "cannot be read: File name too long"),
        ("a\0b.csv", "There is no file"),
    ):
        assert reason in refusal(name)
    for wanted in ("file.csv", "*.parquet", "folder"):
        with monkeypatch.context() as patch:
            for method in ("is_file", "is_dir", "stat"):
                patch.setattr(Path, method, denied)
            options = {"file_format": "csv"} if wanted == "folder" else {}
            assert "Permission denied" in refusal(tmp_path / wanted, **options)
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(Path, "rglob", denied)
    assert "Permission denied" in refusal(tmp_path / "folder")


def denied(*_):
    """What the system says of a folder that one may not enter."""
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_standard_input_that_is_closed(monkeypatch):
    """As in `dpwilcoxon test - <&-`."""
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in refusal("-")
    stream = io.TextIOWrapper(io.BytesIO(b""))
    stream.close()
    monkeypatch.setattr(sys, "stdin", stream)
    assert "standard input is closed" in refusal("-")


def test_advice_about_cells_tells_nothing_of_them(tmp_path):
    """One hint for all, so that it does not say what is in the cell; of SQLite no lines."""
    messages = set()
    for cell in ("1,5", "12%", "3 kg", "02/03/2024", "secret", "1_000"):
        path = written(tmp_path / "x.csv", f'a,b\n1,2\n"{cell}",3\n')
        messages.add(refusal(path))
    (message,) = messages
    assert "data row 2 (line 3 of the file)" in message
    assert "no unit, percent sign or thousands separator; dates look like 2024-02-29" in message
    path = tmp_path / "x.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.execute("INSERT INTO t VALUES ('3 kg', 1)")
    message = refusal(path)
    assert "first in data row 1; correct it, or make it NULL" in message
    assert "line" not in message
    assert "cell" not in message


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        (b"", {}, "standard input is empty"),
        (b"PAR1", {"file_format": "parquet"}, "cannot be read as Parquet"),
        (b"PAR1", {}, "is a Parquet file"),
        (b"\x28\xb5\x2f\xfd", {}, "zstd -dc"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], {}, "damaged"),
        (b"a,b\n1,2\n1,987654.321x\n", {}, "data row 2 (line 3 of the file)"),
    ],
)
def test_bad_standard_input(monkeypatch, content, options, reason):
    """Standard input is refused for the same reasons, and Parquet with its own."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert reason in refusal("-", **options)


def duckdb_that_fails(monkeypatch, failure):
    """Make every query fail."""

    class Connection:
        def __enter__(self):
            return self

        def __exit__(self, *exc):
            return None

        def execute(self, sql, *_):
            if "SELECT" in sql:
                raise failure
            return self

    monkeypatch.setattr(duckdb, "connect", lambda **_: Connection())


def test_duckdb_messages_go_no_further(tmp_path, monkeypatch):
    """Even a failure that nobody foresaw does not repeat what DuckDB said."""
    path = written(tmp_path / "x.csv", "a,b\n1,2\n")
    duckdb_that_fails(monkeypatch, duckdb.ConversionException(f"could not convert {SENTINEL}"))
    assert "cannot be read as delimited text" in refusal(path)


def test_ctrl_c_in_a_query_is_an_interruption(tmp_path, monkeypatch):
    """DuckDB answers Ctrl-C with an ordinary error; other such errors are not swallowed."""
    path = written(tmp_path / "x.csv", "a,b\n1,2\n")
    duckdb_that_fails(monkeypatch, RuntimeError("Query interrupted"))
    with pytest.raises(KeyboardInterrupt):
        refusal(path)
    duckdb_that_fails(monkeypatch, RuntimeError("something else"))
    with pytest.raises(RuntimeError, match="something else"):
        refusal(path)


def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch):
    """Two scans must see the same rows."""
    path = written(tmp_path / "x.csv", "a,b\n1, 2\n3, 4\n")
    monkeypatch.setattr(
        "dpwilcoxon.sources.text_sql.second_look",
        lambda *_: (
            "SELECT 0 AS row, v0 FROM (SELECT c1 AS v0 FROM read_csv(?, header = true, "
            "auto_detect = false, columns = {'c0': 'VARCHAR', 'c1': 'VARCHAR'}) LIMIT 1)"
        ),
    )
    assert "changed while it was read" in refusal(path)


def test_too_little_memory(tmp_path, monkeypatch):
    """Running out of memory is said as such."""
    path = written(tmp_path / "x.csv", "a,b\n1,2\n")
    duckdb_that_fails(monkeypatch, duckdb.OutOfMemoryException(SENTINEL))
    assert "more memory" in refusal(path)


def compressed(tmp_path, kind: str) -> bytes:
    """A compressed CSV file of several blocks."""
    rows = duckdb.sql("SELECT setseed(0.5); FROM range(30_000) SELECT random() AS a, random() AS b")
    path = tmp_path / "whole"
    rows.write_csv(str(path), compression=kind)
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_compressed_files_that_were_cut(tmp_path, kind):
    """Wherever a compressed file is cut, no row is lost without a word."""
    whole = compressed(tmp_path, kind)
    assert pairs_from_file(written(tmp_path / "x.csv", whole), before="a", after="b").n == 30_000
    for length in (len(whole) - 1, len(whole) - 9, len(whole) // 2, 2_000, 12, 7, 5):
        assert "damaged" in refusal(written(tmp_path / "x.csv", whole[:length]))


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (OSError(errno.EIO, os.strerror(errno.EIO)), "cannot be read: Input/output error"),
        (OSError(SENTINEL), "cannot be read to its end (OSError)"),
        (MemoryError(SENTINEL), "cannot be read to its end (MemoryError)"),
    ],
)
@pytest.mark.parametrize("extension", ["csv", "jsonl"])
def test_a_drive_that_fails_in_the_middle_of_a_file(
    tmp_path, monkeypatch, failure, reason, extension
):
    """Rows that could not be read are not left out without a word, wherever the last one ends."""
    rows = {"csv": ("a,b\n", "1,2\n"), "jsonl": ("", '{"a": 1, "b": 2}\n')}[extension]
    content = gzip.compress("".join([rows[0], *[rows[1]] * 100]).encode(), mtime=0)
    path = written(tmp_path / f"x.{extension}", content)
    read = gzip.GzipFile.read
    for length in (50 * len(rows[1]) + len(rows[0]), 50):

        def fail(self, size, length=length):
            if size == HEAD_BYTES:
                return read(self, size)
            if self.tell() >= length:
                raise failure
            return read(self, length)

        with monkeypatch.context() as patch:
            patch.setattr(gzip.GzipFile, "read", fail)
            assert reason in refusal(path)
    assert pairs_from_file(path, before="a", after="b").n == 100


def test_compressed_json_that_was_cut(tmp_path):
    """DuckDB complains of the last line, which is not whole; what is told is the damage."""
    content = gzip.compress(f'{{"a": {SENTINEL}, "b": 1}}\n'.encode() * 40_000, 0, mtime=0)
    assert "damaged" in refusal(written(tmp_path / "x.jsonl", content[:900_000]))


def test_damage_is_told_before_pairs_are_used(tmp_path):
    """Where pairs stay in DuckDB until they are released, the file does not stay open as long."""
    lines = ["who,first,later", *(f"{index:011},1,2" for index in range(100_000))]
    content = "\n".join(lines).encode()  # lines of 16 bytes, so that no block ends within one
    path = written(tmp_path / "x.csv", gzip.compress(content + b"\n", 0, mtime=0)[:-4])
    layout = Layout.parse(before="first", after="later", unit="who")
    with ExitStack() as opened, pytest.raises(SourceError, match="damaged"):
        opened.enter_context(open_pairs(open_table(path), layout, Resources(0)))


def test_compressed_files_that_were_altered(tmp_path):
    """The checksum of gzip is verified: an altered file is not read as other numbers."""
    content = gzip.compress(b"a,b\n" + b"1.25,2.25\n" * 500, compresslevel=0, mtime=0)
    assert b"1.25" in content  # stored, so that altering a digit leaves everything else whole
    path = written(tmp_path / "x.csv", content.replace(b"1.25", b"1.75", 1))
    assert "damaged" in refusal(path)
    path = written(tmp_path / "x.csv", compressed(tmp_path, "zstd") + b"\x00987654.321")
    assert "damaged" in refusal(path)
