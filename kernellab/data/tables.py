"""Measurements: one row per point, one column per quantity."""

from __future__ import annotations

import numpy as np

from kernellab.data.dataset import Dataset
from kernellab.data.reading import CC_BY, FACTS, PUBLIC, arrays, matrix, numbers, table

KM_EAST, KM_NORTH = 0.074, 0.0925
"""Size of a cell of the elevation grid, in kilometres."""


def motorcycle() -> Dataset:
    """Return the acceleration of a rider's head after an impact, 133 measurements.

    X is the time in milliseconds, y the acceleration in g. The noise changes with time.
    """
    columns = table("motorcycle")
    return Dataset(
        "motorcycle", matrix(columns, ("time_ms",)),
        numbers(columns["acceleration_g"]), ("time_ms",),
        notes="Milliseconds after impact; acceleration of the head in g.",
        licence=FACTS,
        citation="B. W. Silverman (1985), JRSS B 47, 1–52; measured by G. Schmidt, "
        "R. Mattern and F. Schüler (1981).",
    )  # fmt: skip


def global_temperature() -> Dataset:
    """Return how warm the years 1880 to 2023 were, in °C above the mean of 1951–1980.

    X is the year, y the anomaly of land and ocean.
    """
    columns = table("global_temperature")
    return Dataset(
        "global_temperature", matrix(columns, ("year",)), numbers(columns["anomaly"]),
        ("year",), notes="°C against the mean of 1951–1980, land and ocean.",
        licence=PUBLIC,
        citation="GISTEMP Team, NASA Goddard Institute for Space Studies; N. Lenssen "
        "et al. (2019), JGR Atmospheres 124, 6307–6326.",
    )  # fmt: skip


def mauna_loa_co2() -> Dataset:
    """Return carbon dioxide in the air over Mauna Loa, monthly from 1958 to 2020.

    X is the decimal year, y the mean of the month in parts per million. Five months
    were never measured.
    """
    columns = table("mauna_loa_co2")
    return Dataset(
        "mauna_loa_co2", matrix(columns, ("decimal_year",)), numbers(columns["co2"]),
        ("decimal_year",), notes="Monthly means in parts per million.",
        licence=f"{CC_BY} Credit: Scripps Institution of Oceanography, UC San Diego.",
        citation="C. D. Keeling et al. (2001), SIO Reference Series 01-06.",
    )  # fmt: skip


def penguins() -> Dataset:
    """Return four measurements of 344 penguins; y is the species.

    Two birds were not measured: `penguins().complete()` leaves them out.
    """
    columns = table("penguins")
    names = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
    others = {key: np.array(columns[key]) for key in ("island", "sex")}
    return Dataset(
        "penguins", matrix(columns, names), np.array(columns["species"]), names,
        columns={**others, "year": numbers(columns["year"])},
        notes="Millimetres and grams; two rows are NaN.", licence="CC0.",
        citation="K. B. Gorman, T. D. Williams and W. R. Fraser (2014), PLoS ONE 9(3) "
        "e90081; A. M. Horst, A. P. Hill and K. B. Gorman (2020).",
    )  # fmt: skip


def digits() -> Dataset:
    """Return 5,620 handwritten digits, 8×8 grey values from 0 to 16, row by row.

    The 1,797 digits that are held out were written by 13 other people.
    """
    stored = arrays("digits")
    held_out = np.repeat([False, True], [len(stored["y_train"]), len(stored["y_test"])])
    return Dataset(
        "digits", np.concatenate([stored["X_train"], stored["X_test"]]).astype(float),
        np.concatenate([stored["y_train"], stored["y_test"]]).astype(int),
        tuple(f"pixel_{i}_{j}" for i in range(8) for j in range(8)),
        held_out=held_out,
        notes="30 people wrote the training digits, 13 others those held out.",
        licence=CC_BY,
        citation="E. Alpaydin and C. Kaynak (1998), UCI Machine Learning Repository, "
        "doi:10.24432/C50P49.",
    )  # fmt: skip


def letters() -> Dataset:
    """Return 16 measurements of 20,000 printed capitals; y is 0 for A to 25 for Z.

    The last 4,000 are held out; about a tenth of them repeat a training row.
    """
    stored = arrays("letters")
    names = (
        "x.box", "y.box", "width", "high", "onpix", "x.bar", "y.bar", "x2bar", "y2bar",
        "xybar", "x2ybr", "xy2br", "x.ege", "xegvy", "y.ege", "yegvx",
    )  # fmt: skip
    return Dataset(
        "letters", stored["X"].astype(float), stored["y"].astype(int), names,
        held_out=np.arange(len(stored["y"])) >= 16_000,
        notes="Position, size, moments and edge counts, integers 0–15.", licence=CC_BY,
        citation="P. W. Frey and D. J. Slate (1991), Machine Learning 6, 161–182; UCI, "
        "doi:10.24432/C5ZP40.",
    )  # fmt: skip


def breast_cancer() -> Dataset:
    """Return 30 measurements of cell nuclei in 569 tumours; y is 1 if malignant."""
    columns = table("breast_cancer")
    names = tuple(name for name in columns if name != "malignant")
    return Dataset(
        "breast_cancer", matrix(columns, names),
        numbers(columns["malignant"]).astype(int), names,
        notes="Columns differ in scale by a factor of 100,000: scale them.",
        licence=CC_BY,
        citation="W. Wolberg, O. Mangasarian, N. Street and W. Street (1995), UCI, "
        "doi:10.24432/C5DW2B.",
    )  # fmt: skip


def concrete() -> Dataset:
    """Return what 1,030 samples of concrete are made of; y is their strength in MPa.

    Many samples are one mixture tested at several ages: those form a group.
    """
    columns = table("concrete")
    names = tuple(name for name in columns if name != "compressive_strength")
    X = matrix(columns, names)
    mixtures = np.unique(X[:, :-1], axis=0, return_inverse=True)[1]
    return Dataset(
        "concrete", X, numbers(columns["compressive_strength"]), names,
        groups=mixtures.reshape(-1),
        notes="kg per m³, the age in days; grouped by mixture.", licence=CC_BY,
        citation="I.-C. Yeh (1998), Cement and Concrete Research 28, 1797–1808; UCI, "
        "doi:10.24432/C5PK67.",
    )  # fmt: skip


def abalone() -> Dataset:
    """Return seven measurements of 4,177 abalones; y is the number of rings.

    The age in years is the number of rings plus 1.5. `columns["sex"]` is M, F or I for
    infant. Two heights are 0 and two exceed 0.4: errors of measurement.
    """
    columns = table("abalone")
    names = tuple(name for name in columns if name not in ("sex", "rings"))
    return Dataset(
        "abalone", matrix(columns, names), numbers(columns["rings"]), names,
        columns={"sex": np.array(columns["sex"])},
        notes="Lengths in units of 200 mm, weights of 200 g.", licence=CC_BY,
        citation="W. Nash, T. Sellers, S. Talbot, A. Cawthorn and W. Ford (1994), UCI, "
        "doi:10.24432/C55C7W.",
    )  # fmt: skip


def elevation() -> Dataset:
    """Return the height of 138,632 places around the Jacksboro fault, Tennessee.

    X is kilometres east and north of the south-west corner, y metres above the sea,
    row by row from the north: `y.reshape(344, 403)` is the map. The groups are
    blocks of 3 km × 3 km.
    """
    grid = arrays("elevation")["elevation"]
    rows, columns = grid.shape
    north, east = np.indices(grid.shape)
    X = np.column_stack(
        [(east.ravel() + 0.5) * KM_EAST, (rows - 0.5 - north.ravel()) * KM_NORTH]
    )
    block = (X // 3.0).astype(int)
    return Dataset(
        "elevation", X, grid.ravel().astype(float), ("km_east", "km_north"),
        groups=block[:, 1] * (int(columns * KM_EAST / 3) + 1) + block[:, 0],
        notes="Metres; 344 × 403 cells of 3 arc seconds.", licence=PUBLIC,
        citation="T. G. Farr et al. (2007), The Shuttle Radar Topography Mission, Rev. "
        "Geophys. 45, RG2004.",
    )  # fmt: skip
