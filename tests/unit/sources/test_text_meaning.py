"""Text means what its own cell says: no cell chooses what the cells of others mean."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from unit_reference import places_of

import dpwilcoxon as dpw
from dpwilcoxon.errors import DataError, InvalidArgument, SourceError


def table(tmp_path, header, rows, name="t.csv"):
    """Write a table of text."""
    path = tmp_path / name
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def found(path, **layout):
    """What a table gives: the number of pairs and the places, or that it is refused."""
    try:
        sample = dpw.read_pairs(path, **layout)
    except (DataError, InvalidArgument) as error:
        return type(error)
    return sample.n, sorted(places_of(sample))


@pytest.mark.parametrize("first", ["1", "1a", "", "2024-01-01", "true", "NA"])
def test_rows_are_never_put_in_another_order_by_a_cell_of_somebody_else(tmp_path, first):
    """9 comes before 10, unless the column is words, and then it is words in every cell."""
    rows = [f"p{i},{seq},0,{-i if seq == 9 else i}" for i in range(1, 6) for seq in (9, 10)]
    path = table(tmp_path, "person,seq,x,y", [*rows, f"p0,{first},0,100"])
    layout = {"unit": "person", "before": "x", "after": "y", "aggregate": "last"}
    answer = found(path, order_by="seq", **layout)
    if first == "1":
        assert answer == (6, [1, 2, 3, 4, 5, 6])
    else:
        assert answer in (SourceError, DataError)


def test_words_are_an_order_too(tmp_path):
    """If all of the column is words; or is said to be meant so."""
    rows = ["a,spring,0,1", "a,winter,0,2", "b,spring,0,-3", "b,autumn,0,5"]
    path = table(tmp_path, "person,season,x,y", rows)
    layout = {"unit": "person", "before": "x", "after": "y", "aggregate": "last"}
    assert found(path, order_by="season", **layout) == (2, [-2, 1])
    path = table(tmp_path, "person,season,x,y", [*rows, "c,7,0,9"])
    with pytest.raises(SourceError, match="cannot tell the order of the rows"):
        dpw.read_pairs(path, order_by="season", **layout)
    assert found(path, order_by="season::VARCHAR", **layout)[0] == 3


@pytest.mark.parametrize("last", ["2024-03-01", "2024-03-01 08:00", "2024-03-01T08:00:00"])
def test_times_are_put_in_order_whatever_stands_between_day_and_hour(tmp_path, last):
    """A T and a blank are one; a day is its first moment."""
    rows = []
    for i in range(1, 6):
        rows += [f"p{i},2024-01-02 09:00,0,{i}", f"p{i},2024-01-02T08:00,0,{-i}"]
    path = table(tmp_path, "person,at,x,y", [*rows, f"p0,{last},0,100"])
    layout = {"unit": "person", "before": "x", "after": "y", "aggregate": "last"}
    assert found(path, order_by="at", **layout) == (6, [1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    "where",
    [
        "y = '0' OR (typeof(g) = 'DECIMAL(18,0)') = (y::INT > 0)",
        "y = '0' OR (g::VARCHAR = '1') = (y::INT > 0)",
        "y = '0' OR (g = '1') = (y::INT > 0)",
        "y = '0' OR (g >= '0.5') = (y::INT > 0)",
        "y = '0' OR (g::DECIMAL(9, 3) >= 1) = (y::INT > 0)",
        "y = '0' OR (g IS NOT NULL) = (y::INT > 0)",
    ],
)
def test_a_filter_sees_text_as_it_stands(tmp_path, where):
    """Of ten persons with g = 1 the same are in the cohort, whatever g another person has."""
    rows = [f"{sign * i},1" for i in range(1, 11) for sign in (1, -1)]
    answers = {
        str(
            found(
                table(tmp_path, "y,g", [*rows, f"0,{other}"]),
                difference="y",
                where=where,
                public_n=11,
            )
        )
        for other in ("1", "1.5", "1e2", "2024-01-01", "2024-01-01 10:00", "true", "x", "", "NA")
    }
    refused = {str(SourceError), str(DataError), str(InvalidArgument)}
    assert len(answers - refused) <= 1


def test_dates_are_compared_as_text_or_as_what_they_are_cast_to(tmp_path):
    """Never as days because all others happen to be days."""
    rows = [f"{sign * i},2024-01-05" for i in range(1, 6) for sign in (1, -1)]
    where = "y = '0' OR (y::INT > 0) = (moment::TIMESTAMP < '2024-01-05 12:00')"
    for other in ("2024-03-01", "2024-03-01 08:00"):
        path = table(tmp_path, "y,moment", [*rows, f"0,{other}"])
        assert found(path, difference="y", where=where, public_n=6) == (6, [0, 1, 2, 3, 4, 5])


@pytest.mark.parametrize("condition", ["visit", "(visit)", '"visit"'])
@pytest.mark.parametrize("where", [None, "visit IS NOT NULL"])
def test_conditions_are_names(tmp_path, condition, where):
    """01 is not 1, also where another expression looks at the column."""
    rows = [
        f"p{i},{visit},{i * factor}" for i in (1, 2) for visit, factor in (("01", 1), ("02", 3))
    ]
    declared = {} if where is None else {"where": where, "public_n": 3}
    layout = {"unit": "p", "condition": condition, "value": "v", "missing_condition": "zero"}
    for other in ("3", "extra", "1.4", "2024-01-01"):
        path = table(tmp_path, "p,visit,v", [*rows, "p0,1,5", "p0,2,6", f"p0,{other},7"])
        assert found(path, levels="01,02", **layout, **declared) == (3, [0, 1, 2])
        assert found(path, levels="1,2", **layout, **declared) == (3, [0, 0, 1])


@pytest.mark.parametrize("word", ["none", "NA", "null", "nan", "N/A", "None"])
def test_words_for_missing_are_names_where_names_are_read(tmp_path, word):
    """A drug called none is a condition, and a person may be called Null."""
    rows = [f"{word},{word},1", f"{word},drug,4", f"b,{word},5", "b,drug,1"]
    path = table(tmp_path, "person,arm,v", rows)
    layout = {"unit": "person", "condition": "arm", "value": "v", "levels": f"{word},drug"}
    assert found(path, **layout) == (2, [-2, 1])
    where = {"where": f"arm IN ('{word}', 'drug')", "public_n": 2}
    assert found(path, **layout, **where) == (2, [-2, 1])
    path = table(tmp_path, "person,arm,v", [*rows, ",drug,3"])
    with pytest.raises(DataError, match="have no `person`"):
        dpw.read_pairs(path, **layout)


@pytest.mark.parametrize("extra", [{}, {"x-y": 1}, {"x - y": 1}])
def test_the_members_of_one_object_do_not_decide_what_an_expression_is(tmp_path, extra):
    """In JSON lines anything that is SQL is SQL; a member of that name stands in quotes."""
    objects = [{"p": "p0", "x": 1, "y": 0.5, **extra}]
    objects += [{"p": f"p{i}", "x": 2 * i, "y": i} for i in range(1, 6)]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))
    for unit in ({}, {"unit": "p"}):
        with pytest.raises(SourceError, match="CAST"):
            dpw.read_pairs(path, difference="x-y", **unit)
        assert found(path, difference="x::INT - y::DOUBLE", **unit) == (6, [1, 2, 3, 4, 5, 6])
        answer = found(path, difference='"x-y"', missing="zero", **unit)
        assert answer == ((6, [0, 0, 0, 0, 0, 1]) if "x-y" in extra else SourceError)


@pytest.mark.parametrize(
    ("text", "difference"),
    [("d,e\n1,2\n3,1\n", "d::DECIMAL(9, 1) - e::DECIMAL(9, 1)"), ("d\n-1\n2\n", "0 + d::INT")],
)
def test_expressions_need_no_unit_in_files_either(tmp_path, text, difference):
    """As the page about data says: where a column is named, an expression can stand."""
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert found(path, difference=difference) == (2, [-1, 2])


def test_an_empty_line_of_one_column_is_a_missing_value(tmp_path):
    """Also the last one: the number of pairs is public, and nothing else could be meant by it."""
    path = tmp_path / "one.csv"
    path.write_text("d\n1\n\n-2\n3\n\n")
    with pytest.raises(DataError, match="Some of the pairs"):
        dpw.read_pairs(path, difference="d")
    assert found(path, difference="d", missing="zero") == (5, [-2, 0, 0, 1, 3])
    assert found(path, difference="d", missing="zero", public_n=5) == (5, [-2, 0, 0, 1, 3])
    path.write_text("d,e\n1,2\n\n3,5\n\n")
    assert found(path, before="d", after="e") == (2, [1, 2])


@pytest.mark.parametrize(
    "where",
    ["g = 1", "1 = G", "g IN (1, 2)", "g BETWEEN 1 AND 2", "coalesce(g, 1) = '1'", "g > 0.5"],
)
def test_text_is_not_compared_with_numbers(tmp_path, where):
    """DuckDB would round 1.4 to an integer first; whoever wants that has to say so."""
    path = table(tmp_path, "y,g", ["3,1", "4,1.4"])
    with pytest.raises(InvalidArgument, match="compares 'g', which is text, with a number"):
        dpw.read_pairs(path, difference="y", where=where, public_n=1)
    assert found(path, difference="y", where="g::DECIMAL(9, 2) = 1", public_n=1) == (1, [1])


@pytest.mark.parametrize("where", ["g = h", "H = G", "h IN (g)", "CASE g WHEN h THEN true END"])
def test_text_is_not_compared_with_columns_of_numbers(where):
    """For DuckDB 1.4 is equal to a whole 1, too; text is compared with text."""
    frame = pd.DataFrame({"y": [3, 4], "g": ["1", "1.4"], "h": [1, 1], "k": ["1", "1"]})
    with pytest.raises(InvalidArgument, match="compares 'g', which is text, with a column"):
        dpw.read_pairs(frame, difference="y", where=where, public_n=1)
    for allowed in ("g = k", "g::DECIMAL(9, 2) = h", "g[h] = '1' AND length(g) = h"):
        assert found(frame, difference="y", where=allowed, public_n=1) == (1, [1])
