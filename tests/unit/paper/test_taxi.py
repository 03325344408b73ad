"""The trip file: its quirks, what is kept of it, and what is refused."""

import csv
from datetime import datetime

import duckdb
import numpy as np
import pytest

from dpwilcoxon.errors import SourceError
from dpwilcoxon.paper.figure_taxi import TaxiFigure
from dpwilcoxon.paper.generated_trips import COLUMNS, write_generated_trips
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.taxi_trips import MEASURES, NEEDED, read_trips


def by_hand(path):
    """The same rules once more, line by line, with Python's csv module."""
    seen, used, counts = set(), {}, {"malformed": 0, "duplicates": 0, "other": 0, "rides": 0}
    with path.open(newline="") as file:
        reader = csv.reader(file)
        names = [name.strip() for name in next(reader)]
        for line in reader:
            try:
                row = dict(zip(names, line, strict=True))  # a ValueError if fields are missing
                times = [
                    datetime.fromisoformat(row[each])
                    for each in ("pickup_datetime", "dropoff_datetime")
                ]
                values = [float(row[each]) for each in MEASURES.values()]
            except ValueError:
                counts["malformed"] += 1
                continue
            if not all((each.year, each.month) == (2013, 1) and each.day <= 2 for each in times):
                counts["other"] += 1
                continue
            if tuple(line) in seen:
                counts["duplicates"] += 1
                continue
            seen.add(tuple(line))
            counts["rides"] += 1
            days = used.setdefault(row["hack_license"], {1: [], 2: []})
            days[times[0].day].append(values)
    both = {driver: days for driver, days in sorted(used.items()) if days[1] and days[2]}
    means = [np.mean(days[2], axis=0) - np.mean(days[1], axis=0) for days in both.values()]
    return np.array(means).T, counts


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A made-up file of 400 drivers."""
    path = tmp_path_factory.mktemp("trips") / "trips.csv"
    write_generated_trips(path, drivers=400)
    return path


def test_file_is_read_as_by_hand(generated):
    """Every quirk is in the file, every line is accounted for, and the differences are those."""
    trips = read_trips(generated)
    differences, counts = by_hand(generated)
    assert min(counts.values()) > 0
    assert trips.malformed == counts["malformed"]
    assert trips.duplicates == counts["duplicates"]
    assert trips.other_rides == counts["other"]
    assert trips.rides == counts["rides"]
    assert trips.drivers == differences.shape[1]
    for ours, theirs in zip(trips.differences.values(), differences, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
    text = generated.read_text()
    assert text.startswith("medallion, hack_license, ")
    assert '"VTS"' in text


def line(driver, day, seconds, miles="1.00", passengers=1):
    """One ride of a driver."""
    fields = dict.fromkeys(COLUMNS, "0") | {
        "hack_license": driver,
        "pickup_datetime": f"2013-01-0{day} 10:00:00",
        "dropoff_datetime": f"2013-01-0{day} 10:10:00",
        "passenger_count": str(passengers),
        "trip_time_in_secs": str(seconds),
        "trip_distance": miles,
    }
    return ",".join(fields.values())


def test_equal_changes_are_equal_to_the_last_bit(tmp_path):
    """1/3 - 1/7 and 2/6 - 2/14 are one number, and 0.3 - 0.1 is 0.2: ties stay ties."""
    lines = [",".join(COLUMNS)]
    for driver, repeat in (("a", 1), ("b", 2)):
        for day, rides, total in ((1, 7, 1), (2, 3, 1)):
            for ride in range(rides * repeat):
                fields = line(driver, day, total if ride < repeat else 0).split(",")
                fields[0] = f"ride {ride}"  # or they would be copies of each other
                lines.append(",".join(fields))
    lines += [line("c", 1, 0, "0.1"), line("c", 2, 0, "0.3")]
    lines += [line("d", 1, 0, "0.7"), line("d", 2, 0, "0.9")]
    (tmp_path / "trips.csv").write_text("\n".join(lines))
    times, distances, _ = read_trips(tmp_path / "trips.csv").differences.values()
    assert times[0] == times[1] == (1 * 7 - 1 * 3) / 21
    assert distances[2] == distances[3] == 0.2


def test_one_driver_is_one_row_whatever_the_days(tmp_path):
    """Who drove on one day only, or overnight into the third, is not in the data."""
    lines = [",".join(COLUMNS), line("both", 1, 60), line("both", 2, 90), line("one", 1, 60)]
    lines.append(line("late", 1, 60))
    lines.append(line("late", 2, 60).replace("2013-01-02 10:10:00", "2013-01-03 00:10:00"))
    (tmp_path / "trips.csv").write_text("\n".join(lines) + "\n")
    trips = read_trips(tmp_path / "trips.csv")
    assert trips.drivers == 1
    assert trips.other_rides == 1
    assert trips.differences["trip time (s)"].tolist() == [30.0]


def test_names_are_no_patterns(tmp_path):
    """A file whose name DuckDB would take for a pattern is read, and no other that it matches."""
    for name, seconds in (("trip[1].csv", 90), ("trip1.csv", 600)):
        lines = [",".join(COLUMNS), line("a", 1, 60), line("a", 2, seconds)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    trips = read_trips(tmp_path / "trip[1].csv")
    assert trips.differences["trip time (s)"].tolist() == [30.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column 'hack_license'"),
        ("a,b\n1,2\n", "no column 'hack_license'"),
        (",".join(NEEDED[:-1]) + "\n", "no column 'passenger_count'; it needs"),
        (",".join(COLUMNS) + "\n" + line("a", 1, 60) + "\n", "both 1 and 2 January"),
        ('"' + "x" * 200_000, "is not a text file"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    """One line says what is wrong with it, without a value of it."""
    path = tmp_path / "trips.csv"
    path.write_text(text)
    with pytest.raises(SourceError, match=message):
        read_trips(path)


def test_no_file_and_no_luck(tmp_path, monkeypatch, generated):
    """A missing file is named; trouble inside the database is not quoted; Ctrl-C interrupts."""
    with pytest.raises(SourceError, match="No such file"):
        read_trips(tmp_path / "none.csv")

    class Connection:
        def __init__(self, error):
            self.error = error

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def execute(self, sql, *_):
            if sql.startswith("SET"):
                return
            raise self.error

    for error, expected in (
        (duckdb.IOException("987654"), SourceError),
        (RuntimeError("Query interrupted"), KeyboardInterrupt),
        (RuntimeError("something else"), RuntimeError),
    ):
        monkeypatch.setattr(duckdb, "connect", lambda error=error, **_: Connection(error))
        with pytest.raises(expected) as caught:
            read_trips(generated)
        assert "987654" not in str(caught.value)


def test_figure_counts_what_was_left_out_and_labels_made_up_data(generated):
    """Real files are compared with the paper; a made-up one is not, and says so on the picture."""
    real = TaxiFigure().measure(Session(replicates=20, trips=generated))
    made_up = TaxiFigure().measure(
        Session(replicates=20, trips=generated, trips_are_generated=True)
    )
    (drivers,) = real.comparisons
    assert drivers.printed.value == 17_066
    assert made_up.comparisons == ()
    assert made_up.notes[0].startswith("GENERATED DATA")
    assert "malformed lines" in real.notes[-1]
    for outcome, labelled in ((real, False), (made_up, True)):
        texts = [text.get_text() for text in outcome.draw().texts]
        assert any("GENERATED" in text for text in texts) is labelled
    powers = {(row[0], row[1], row[2]): row[3] for row in real.numbers.rows}
    assert len(powers) == 3 * 2 * 4
    assert all(0.0 <= power <= 1.0 for power in powers.values())
