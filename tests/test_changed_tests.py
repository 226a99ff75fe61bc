"""`make quick`: the tests of what has changed."""

import pytest

from tools.changed_tests import ROOT, candidates, changed, nearest_tests


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kernellab/labels.py", ["tests/test_labels.py"]),
        ("kernellab/kernels/row_cache.py", ["tests/kernels/test_row_cache.py"]),
        ("kernellab/kernels/stationary.py", ["tests/kernels"]),
        ("kernellab/svm/smo/newton.py", ["tests/svm/test_smo.py"]),
        ("kernellab/grading/judging/judge.py", ["tests/grading/judging/test_judge.py"]),
        ("tools/work_folder.py", ["tests/book/test_work_folder.py"]),
        ("exercises/01_duality/ridge-dual.md", ["tests/exercises/test_exercises.py"]),
        ("tests/gp/test_normal.py", ["tests/gp/test_normal.py"]),
        ("tests/gp/test_removed.py", []),
        ("README.md", []),
    ],
)
def test_the_nearest_tests_are_found(name, expected):
    assert nearest_tests([name], ROOT) == expected


def test_each_is_run_once():
    assert nearest_tests(["kernellab/labels.py", "tests/test_labels.py"]) == [
        "tests/test_labels.py"
    ]


def test_what_has_changed_can_be_asked_for_in_a_checkout():
    assert all(not name.startswith("/") for name in changed())
    assert next(candidates("tests/test_lazy.py")) == "tests/test_lazy.py"
