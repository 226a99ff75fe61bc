"""Class labels of any type, and the messages for what is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernellab.errors import InputError
from kernellab.labels import Labels, accuracy

several = st.one_of(
    st.lists(st.integers(-5, 5), min_size=2),
    st.lists(st.text("abc", max_size=3), min_size=2),
    st.lists(st.booleans(), min_size=2),
    st.lists(st.integers(-3, 3).map(float), min_size=2),
).filter(lambda y: len(set(y)) > 1)


@given(several)
def test_codes_stand_for_the_labels(y):
    labels = Labels.read(y, len(y))
    assert labels.classes.tolist() == sorted(set(y))
    assert labels.classes[labels.codes].tolist() == y
    assert labels.counts.tolist() == [y.count(c) for c in sorted(set(y))]


@pytest.mark.parametrize(
    "y",
    [
        [-1, 1, -1],
        [-1.0, 1.0, -1.0],
        [0, 1, 0],
        [False, True, False],
        ["ham", "spam", "ham"],
        np.array(["ham", "spam", "ham"], dtype=object),
        np.array([b"a", b"b", b"a"]),
        ("a", "b", "a"),
        np.array([3, 200, 3], dtype=np.uint8),
    ],
    ids=repr,
)
def test_the_larger_label_is_plus_one(y):
    labels = Labels.read(y, 3)
    assert labels.signs.tolist() == [-1.0, 1.0, -1.0]
    assert labels.codes.dtype == np.intp


def test_signs_need_two_classes():
    labels = Labels.read(list("abcdefgh"), 8)
    with pytest.raises(InputError, match=r"y has 8 classes: 'a', .*'f', …\. Keep two"):
        _ = labels.signs
    with pytest.raises(InputError, match=r"y has 3 classes: 1, 2, 3\. Keep two"):
        _ = Labels.read([1, 2, 3], 3).signs


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], "two classes or more; all 3 labels are 1"),
        (["a", "a", "a"], "all 3 labels are 'a'.*OneClassSVM"),
        ([1, 2], r"shape \(3,\).*got shape \(2,\)"),
        ([[1, 2, 1]], r"got shape \(1, 3\); write y.ravel"),
        ([[1], [2, 3], [1]], r"shape \(3,\), one label for each point; got list"),
        (np.array(["a", "a", "a"], dtype=object), "all 3 labels are 'a'"),
        (1, r"got shape \(\)"),
        ([1.0, np.nan, 2.0], r"every point needs a label; y\[1\] is nan"),
        ([1.0, 2.0, np.inf], r"y\[2\] is inf"),
        (["a", None, "b"], r"y\[1\] is None"),
        (np.array(["a", "b", np.nan], dtype=object), r"y\[2\] is nan"),
        ([0.5, 1.0, 2.0], "regression"),
        ([1.0, 2.0, 2.5], r"y\[2\] is 2.5"),
        ([1, "a", 2], "one type; .*a mixture"),
        (np.array([1, "a", 2], dtype=object), "can be sorted"),
        ([1j, 2, 1], "complex128"),
        (np.array(["2020", "2021", "2020"], dtype="M8[Y]"), "datetime64"),
    ],
    ids=repr,
)
def test_what_is_no_label(y, message):
    with pytest.raises(InputError, match=message):
        Labels.read(y, 3)


def test_a_mixture_read_by_numpy_already_is_plain_strings():
    assert Labels.read(np.array([1, "a"]), 2).classes.tolist() == ["1", "a"]


def test_accuracy():
    predicted = np.array([1, 2, 2, 3])
    assert accuracy(predicted, [1, 2, 3, 3]) == 0.75
    assert accuracy(predicted, [1.0, 2.0, 3.0, 3.0], [1, 0, 1, 0]) == 0.5
    assert accuracy(np.array(["a", "a"]), np.array(["a", "b"], dtype=object)) == 0.5
    assert accuracy(predicted, [9, 9, 9, 9]) == 0.0
    with pytest.raises(InputError, match="as in fit, such as 1; got 'a'"):
        accuracy(predicted, list("abcd"))
    with pytest.raises(InputError, match="shape"):
        accuracy(predicted, [1, 2])
