"""Real data: unchanged files, honest splits, and one known result per set."""

import hashlib
from importlib.resources import files

import numpy as np
import pytest

from kernellab import KernelRidge, LinearSVC, Perceptron, data
from kernellab import kernels as kl
from kernellab.errors import InputError

SHA256 = {
    "abalone.csv.gz": "27ae3109972d2b9d",
    "addresses.npz": "0d905a39fe0f57ae",
    "breast_cancer.csv.gz": "824fb49ac48cedd7",
    "concrete.csv.gz": "6f0491e780070729",
    "digits.npz": "e7352bd6ef785dd5",
    "elevation.npz": "ee7c12bca90cd1a7",
    "global_temperature.csv.gz": "99ea61474653fd3f",
    "karate.csv.gz": "080769fa62b2b107",
    "letters.npz": "2f9d893ae19a991a",
    "mauna_loa_co2.csv.gz": "1ab32c1cab4bad1c",
    "motorcycle.csv.gz": "77c19ac93995b8f2",
    "mutag.csv.gz": "ccac740fd584d9db",
    "penguins.csv.gz": "b3312021423929f4",
    "splice.csv.gz": "c580edba79e13dcc",
    "words.csv.gz": "b9974b41e5326176",
}
SIZES = {
    "abalone": 4177, "addresses": 13532, "breast_cancer": 569, "concrete": 1030,
    "digits": 5620, "elevation": 138632, "global_temperature": 144, "karate": 34,
    "letters": 20000, "mauna_loa_co2": 741, "motorcycle": 133, "mutag": 188,
    "penguins": 344, "splice": 3190, "words": 2727,
}  # fmt: skip


def test_the_files_are_those_that_were_described() -> None:
    folder = files("kernellab.data") / "files"
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in folder.iterdir()
        if path.name != "LICENSES.md"
    }
    assert found == SHA256


def test_every_file_has_its_licence() -> None:
    text = (files("kernellab.data") / "files" / "LICENSES.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in SHA256)


@pytest.mark.parametrize("name", SIZES)
def test_every_set_says_what_it_is(name: str) -> None:
    found = getattr(data, name)()
    assert len(found) == len(found.y) == SIZES[name]
    assert found.licence
    assert found.citation
    assert found.name in repr(found)
    assert not found.names or len(found.names) == found.X.shape[1]


@pytest.mark.parametrize("name", SIZES)
def test_a_split_parts_no_group(name: str) -> None:
    whole = getattr(data, name)()
    train, test = whole.split(random_state=1)
    assert len(train) + len(test) == len(whole)
    assert min(len(train), len(test)) > 0
    if whole.groups is not None:
        assert not set(train.groups) & set(test.groups)


def test_a_set_keeps_the_split_it_comes_with() -> None:
    train, test = data.digits().split(random_state=5)
    assert (len(train), len(test)) == (3823, 1797)
    again, rest = train.split(test=0.1)  # what is left has none, so points are drawn
    assert len(rest) == pytest.approx(382, abs=1)
    assert len(again) + len(rest) == 3823


def test_rows_are_taken_by_number_mask_or_slice() -> None:
    birds = data.penguins()
    every_other = np.arange(len(birds)) % 2 == 0
    for rows in (slice(None, None, 2), every_other, np.flatnonzero(every_other)):
        assert birds.take(rows).y.tolist() == birds.y[::2].tolist()


def test_wrong_requests_are_explained() -> None:
    with pytest.raises(InputError, match=r"no class 'Emperor'; it has Adelie"):
        data.penguins().binary("Emperor")
    with pytest.raises(InputError, match="share between 0 and 1"):
        data.words().split(test=3)


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernellab.data.reading.files", lambda name: files("kernellab"))
    with pytest.raises(InputError, match=r"motorcycle\.csv\.gz is not part"):
        data.motorcycle()


# One known result per set: a file that was mixed up would not give it.


def rms(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors**2)))


def left_out(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Residuals of the linear fit with a constant, each point left out in turn."""
    A = np.column_stack([np.ones(len(X)), X])
    H = A @ np.linalg.pinv(A)
    return (Y - H @ Y) / (1 - np.diag(H)).reshape(-1, *[1] * (Y.ndim - 1))


def standardised(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def coded(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    classes = np.unique(y)
    return classes, (y[:, None] == classes).astype(float)


def test_a_line_is_twice_as_far_from_the_rider_as_a_curve() -> None:
    rider = data.motorcycle()
    model = KernelRidge(kl.Gaussian(5.0), lam=0.4).fit(rider.X, rider.y)
    assert rms(left_out(rider.X, rider.y)) == pytest.approx(46.5, abs=0.1)
    assert rms(model.loo_residuals_) == pytest.approx(23.15, abs=0.1)


def test_fifteen_hidden_years_are_met_to_a_tenth_of_a_degree() -> None:
    years = data.global_temperature()
    hidden = (years.X[:, 0] >= 1960) & (years.X[:, 0] <= 1974)
    train, test = years.take(~hidden), years.take(hidden)
    mean = train.y.mean()
    model = KernelRidge(kl.Gaussian(10.0), lam=0.1).fit(train.X, train.y - mean)
    assert rms(model.predict(test.X) + mean - test.y) < 0.1


def test_a_parabola_forecasts_the_air() -> None:
    air = data.mauna_loa_co2()
    P = np.vander(air.X[:, 0] - 1985, 3)
    past = air.X[:, 0] < 2010
    w = np.linalg.lstsq(P[past], air.y[past], rcond=None)[0]
    assert rms(P[~past] @ w - air.y[~past]) == pytest.approx(2.73, abs=0.01)


def test_one_species_of_penguins_can_be_separated() -> None:
    birds = data.penguins().binary("Gentoo").complete()
    assert len(birds) == 342
    model = Perceptron().fit(standardised(birds.X), birds.y)
    assert model.converged_


def test_fours_and_nines_of_new_writers_are_told_apart() -> None:
    train, test = data.digits().binary(4, 9).split()
    model = KernelRidge(kl.Gaussian(24.0), lam=0.1).fit(train.X, train.y)
    assert np.mean(np.sign(model.predict(test.X)) != test.y) < 0.01


def test_letters_are_read_from_a_sample() -> None:
    train, test = data.letters().split()
    train, test = train.take(np.arange(1000)), test.take(np.arange(500))
    classes, Y = coded(train.y)
    model = KernelRidge(kl.Gaussian(4.0), lam=0.1).fit(train.X, Y)
    assert np.mean(classes[model.predict(test.X).argmax(axis=1)] != test.y) < 0.2


def test_tumours_must_be_scaled() -> None:
    cells = data.breast_cancer().binary(1)
    errors = []
    for X in (cells.X, standardised(cells.X)):
        model = KernelRidge(kl.Gaussian(15**0.5), lam=0.5).fit(X, cells.y)
        errors.append(np.mean(np.sign(cells.y - model.loo_residuals_) != cells.y))
    assert errors[0] > 0.25
    assert errors[1] < 0.03


def test_the_logarithm_of_the_age_is_the_better_feature() -> None:
    samples = data.concrete()
    X = samples.X.copy()
    X[:, -1] = np.log(X[:, -1])
    assert rms(left_out(samples.X, samples.y)) == pytest.approx(10.47, abs=0.01)
    assert rms(left_out(X, samples.y)) == pytest.approx(7.19, abs=0.01)


def test_rings_of_abalones_are_hard_to_guess() -> None:
    shells = data.abalone().take(np.arange(1000))
    assert rms(left_out(shells.X, shells.y)) == pytest.approx(2.3, abs=0.5)


def test_a_plane_misses_the_mountain() -> None:
    places = data.elevation()
    A = np.column_stack([np.ones(len(places)), places.X])
    w = np.linalg.lstsq(A, places.y, rcond=None)[0]
    assert rms(places.y - A @ w) == pytest.approx(145.2, abs=0.1)


def test_letters_at_their_places_tell_splice_sites() -> None:
    genes = data.splice()
    letters = np.array([list(sequence) for sequence in genes.X])
    X = np.concatenate([(letters == base).astype(float) for base in "ACGT"], axis=1)
    classes, Y = coded(genes.y)
    train = np.arange(len(genes)) % 3 > 0
    w = np.linalg.lstsq(X[train], Y[train], rcond=None)[0]
    assert np.mean(classes[(X[~train] @ w).argmax(axis=1)] != genes.y[~train]) < 0.1


def test_letters_alone_tell_half_of_the_languages() -> None:
    vocabulary = data.words()
    alphabet = sorted(set("".join(vocabulary.X)))
    X = np.array([[word.count(c) for c in alphabet] for word in vocabulary.X], float)
    classes, Y = coded(vocabulary.y)
    guess = classes[(Y - left_out(X, Y)).argmax(axis=1)]
    assert np.mean(guess != vocabulary.y) == pytest.approx(0.495, abs=0.01)


def test_the_size_of_a_molecule_says_most() -> None:
    molecules = data.mutag()
    large = np.where(molecules.columns["atoms"] >= 16, 1, -1)
    assert np.mean(molecules.y != 1) == pytest.approx(0.335, abs=0.001)
    assert np.mean(large != molecules.y) < 0.2


def test_the_club_splits_where_it_is_weakest() -> None:
    club = data.karate()
    assert np.array_equal(club.X, club.X.T)
    side = np.linalg.eigh(np.diag(club.X.sum(axis=1)) - club.X)[1][:, 1] > 0
    errors = np.sum(side != (club.y == "Mr. Hi"))
    assert min(errors, 34 - errors) <= 2


def test_speeches_tell_their_time() -> None:
    train, test = data.addresses().split()
    model = LinearSVC(C=1.0).fit(train.X.sign(), np.where(train.y < 1945, -1.0, 1.0))
    wrong = model.predict(test.X.sign()) != np.where(test.y < 1945, -1.0, 1.0)
    assert wrong.mean() < 0.1
