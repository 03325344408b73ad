"""The application: average trips of New York's taxi drivers on 1 and 2 January 2013."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpwilcoxon.paper import printed
from dpwilcoxon.paper import tests_of_the_paper as tests
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.curves import style_of
from dpwilcoxon.paper.item import Cell, Item, NumberTable, Outcome
from dpwilcoxon.paper.power_study import SCRIPTS, TEXT, Curve
from dpwilcoxon.paper.session import Session
from dpwilcoxon.paper.taxi_trips import TripDifferences, read_trips
from dpwilcoxon.plots.backend import house_style
from dpwilcoxon.plots.palette import DEEP_RED
from dpwilcoxon.studies.families import Pilot
from dpwilcoxon.studies.models import Population

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EPSILON = "1"
CURVES = (
    Curve(TEXT, tests.HIGH_PRIVACY, tests.rival(tests.PRIVACY, EPSILON)),
    Curve(TEXT, tests.HIGH_UTILITY, tests.rival(tests.UTILITY, EPSILON)),
    Curve(TEXT, tests.NEW, tests.new(EPSILON)),
    Curve(TEXT, tests.PUBLIC, tests.public()),
    Curve(SCRIPTS, tests.HIGH_PRIVACY, tests.rival(tests.SCRIPT_PRIVACY_TAXI, EPSILON)),
    Curve(SCRIPTS, tests.HIGH_UTILITY, tests.rival(tests.SCRIPT_UTILITY_TAXI, EPSILON)),
    Curve(SCRIPTS, tests.NEW, tests.new(EPSILON)),
    Curve(SCRIPTS, tests.PUBLIC, tests.public()),
)
HATCHES = {tests.HIGH_PRIVACY: "....", tests.HIGH_UTILITY: "////", tests.NEW: "", tests.PUBLIC: ""}
NOTES = (
    (
        "Sets of 400 drivers drawn with replacement; two-sided at α = .05, so α/2 in each tail "
        "also for the TC tests, as in the published script."
    ),
    (
        "Right: the published script divides W by the standard deviation for all rows, sets High "
        "Utility's noise for m = n, and adds no dummies to the data of High Privacy."
    ),
)
MISSING = """Not measured: the trip file is not here, and may not be redistributed.

It is trip_data_1.csv (January 2013, some 2.5 GB), which the New York City Taxi and Limousine
Commission released under the Freedom of Information Law; the authors' scripts name
http://www.andresmh.com/nyctaxitrips/ as its source. With the file:

    dpwilcoxon paper run figure-taxi --trips trip_data_1.csv

To see the same steps on a made-up file of the same form:

    dpwilcoxon paper run figure-taxi --generated-trips"""


@final
class TaxiFigure(Item):
    """Power of all tests on resampled differences."""

    name = "figure-taxi"
    title = "Power on taxi data, n = 400, ε = 1"
    place = "section 6"

    def measure(self, session: Session) -> Outcome:
        """Read the trips if they are there, and resample the drivers."""
        if session.trips is None:
            return Outcome(missing=MISSING)
        session.watcher.step("reading the trips")
        trips = read_trips(session.trips)
        powers, rows = {}, []
        for label, differences in trips.differences.items():
            estimates = session.rates(
                Population(Pilot(differences), effect=1.0),
                printed.TAXI_SIZE,
                [curve.test for curve in CURVES],
                of=self.name,
                most_replicates=printed.TAXI_SETS,
            )
            powers[label] = [each.probability for each in estimates]
            rows += [
                (label, curve.panel, curve.name, each.probability, each.standard_error,
                 each.replicates, trips.drivers, float(np.mean(differences == 0.0)))
                for curve, each in zip(CURVES, estimates, strict=True)
            ]  # fmt: skip
        return self._outcome(session, trips, powers, rows)

    def _outcome(
        self,
        session: Session,
        trips: TripDifferences,
        powers: dict[str, list[float]],
        rows: Sequence[tuple[Cell, ...]],
    ) -> Outcome:
        generated = session.trips_are_generated
        columns = (
            "measure", "convention", "test", "power", "standard_error", "replicates", "drivers",
            "share_of_zeros",
        )  # fmt: skip
        found = (
            f"{trips.drivers:,} drivers with {trips.rides:,} rides on both days; left out were "
            f"{trips.duplicates:,} exact copies of rides and {trips.malformed:,} malformed lines, "
            f"and {trips.other_rides:,} rides of other days were passed over."
        )
        warning = ("GENERATED DATA: no ride in this file took place; the powers mean nothing.",)
        drivers = Comparison(
            "taxi/drivers",
            "drivers with rides on both days",
            Printed(float(printed.DRIVERS), 0.0),
            (Reading.exactly(float(trips.drivers), "exact copies of rides counted once"),),
        )
        return Outcome(
            NumberTable(columns, rows),
            lambda: draw(powers, generated=generated),
            "Bars of power for four tests on average trip time, trip distance and number of "
            "passengers.",
            () if generated else (drivers,),
            (*(warning if generated else ()), *NOTES, found),
        )


def draw(powers: dict[str, list[float]], *, generated: bool) -> Figure:
    """Bars side by side, one panel per convention."""
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8.4, 3.9), layout="constrained")
        for axes, title in zip(figure.subplots(1, 2, sharey=True), (TEXT, SCRIPTS), strict=True):
            _draw_panel(axes, title, powers)
        handles, labels = axes.get_legend_handles_labels()
        figure.axes[0].set_ylabel("power")
        figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
        if generated:
            figure.suptitle("GENERATED DATA, not the taxi rides", color=DEEP_RED, fontsize=10)
        figure.draw_without_rendering()
    return figure


def _draw_panel(axes: Axes, title: str, powers: dict[str, list[float]]) -> None:
    shown = [(place, curve) for place, curve in enumerate(CURVES) if curve.panel == title]
    for offset, (place, curve) in enumerate(shown):
        heights = [power[place] for power in powers.values()]
        color, hatch = style_of(curve.name)["color"], HATCHES.get(curve.name, "xxxx")
        style: dict[str, Any] = {
            "color": "white" if hatch else color,
            "edgecolor": color,
            "hatch": hatch,
        }
        step = 0.8 / len(shown)
        places = np.arange(len(heights)) + step * (offset - (len(shown) - 1) / 2)
        axes.bar(places, heights, width=0.9 * step, label=curve.name, **style)
    axes.set_xticks(np.arange(len(powers)), ["\n".join(label.rsplit(" ", 1)) for label in powers])
    axes.set_ylim(0.0, 1.03)
    axes.set_title(title, fontsize=10)
