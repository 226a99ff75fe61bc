"""The benchmarks: how they measure and report, and what their cases are.

No test times anything: clocks are made up, and no case is run.
"""

import importlib
import json
import math
import re
import warnings
from dataclasses import replace
from itertools import pairwise

import pytest

import benchmarks
from benchmarks import __main__ as command
from benchmarks import harness, report
from benchmarks.environment import environment, free_gigabytes
from benchmarks.harness import Case, Check, Contest, Effort, Record

EFFORT = Effort(seconds=10.0, shortest=0.5)


class Clock:
    """A clock that tasks move: each has its duration, and is written down."""

    def __init__(self):
        self.now, self.seen = 0.0, []

    def __call__(self):
        return self.now

    def task(self, name, *durations, answer=1.0):
        left = list(durations)

        def run():
            self.seen.append(name)
            self.now += left.pop(0) if len(left) > 1 else left[0]
            return answer

        return run


def agree(a, b):
    return [Check("difference", abs(a - b), 0.1)]


def case(prepare, **settings):
    return Case("group", "name", "n = 1", "peer", prepare, **settings)


def measured(ours, theirs, clock, checks=agree, effort=EFFORT, **settings):
    contest = Contest(ours, theirs, checks)
    return harness.measure(case(lambda: contest, **settings), effort, clock)


# --- measuring ------------------------------------------------------------------------


def test_both_run_in_turn():
    clock = Clock()
    times = harness.interleaved(clock.task("a", 1), clock.task("b", 2), 3, clock=clock)
    assert "".join(clock.seen) == "ababab"
    assert times == ([1, 1, 1], [2, 2, 2])


def test_a_short_task_is_called_several_times():
    clock = Clock()
    a, b = clock.task("a", 1), clock.task("b", 2)
    times = harness.interleaved(a, b, 2, calls=(3, 1), clock=clock)
    assert "".join(clock.seen) == "aaabaaab"
    assert times == ([1, 1], [2, 2])


def test_the_ratio_is_the_median_of_the_rounds():
    clock = Clock()
    ours = clock.task("a", 7, 1, 2, 6)  # the first run is not counted
    r = measured(ours, clock.task("b", 2), clock, repeats=3)
    assert r.status == "ok"
    assert (r.ours, r.theirs) == ([1, 2, 6], [2, 2, 2])
    assert (r.lowest, r.ratio, r.highest) == (0.5, 1, 3)


def test_what_a_first_run_loads_does_not_make_a_call_long():
    clock = Clock()
    measured(clock.task("a", 4, 0.25), clock.task("b", 0.25), clock, repeats=1)
    assert "".join(clock.seen) == "abab" + "aabb"


def test_a_long_first_run_counts():
    clock = Clock()
    r = measured(clock.task("a", 10, 20), clock.task("b", 40, 50), clock)
    assert (r.ours, r.theirs) == ([10, 20], [40, 50])


def test_the_number_of_rounds_follows_from_the_duration():
    rounds = [EFFORT.rounds(pair) for pair in (1e-9, 0.1, 1.0, 1.9, 4.0, 19.0, 21.0)]
    assert rounds == [15, 15, 9, 5, 3, 3, 2]
    assert [EFFORT.calls(once) for once in (0.1, 0.49, 0.5, 3.0)] == [5, 2, 1, 1]


def test_answers_that_differ_fail_and_are_not_timed():
    clock = Clock()
    r = measured(clock.task("a", 1), clock.task("b", 1, answer=3.0), clock)
    assert r.status == "failed"
    assert r.message == "answers differ: difference: 2, at most 0.1"
    assert r.ratio is None
    assert clock.seen == ["a", "b"]


def test_a_nan_fails():
    clock = Clock()
    r = measured(clock.task("a", 1, answer=math.nan), clock.task("b", 1), clock)
    assert r.status == "failed"


@pytest.mark.parametrize("where", ["prepare", "ours", "checks"])
def test_an_exception_is_part_of_the_record(where):
    def broken(*_):
        raise ZeroDivisionError("by nought\nand more")

    clock = Clock()
    contest = Contest(clock.task("a", 1), clock.task("b", 1), agree)
    if where != "prepare":
        contest = replace(contest, **{where: broken})
    wrong = case(broken if where == "prepare" else lambda: contest)
    r = harness.measure(wrong, EFFORT, clock)
    assert (r.status, r.message) == ("failed", "ZeroDivisionError: by nought")


def test_what_is_not_there_is_left_out():
    r = harness.measure(case(pytest.fail, needs="no_such_module"), EFFORT)
    assert (r.status, r.message) == ("skipped", "no_such_module is not installed")
    r = harness.measure(case(pytest.fail, gigabytes=math.inf), EFFORT)
    assert r.status == ("skipped" if free_gigabytes() < math.inf else "failed")


def test_memory_is_the_peak_in_megabytes():
    clock = Clock()
    ours, theirs = clock.task("a", 1), clock.task("b", 1)
    r = measured(lambda: [bytes(3_000_000), ours()][1], theirs, clock, memory=True)
    assert r.memory_ours == pytest.approx(3, abs=0.1)
    assert r.memory_theirs < 0.1
    assert measured(ours, theirs, clock).memory_ours is None


def test_warnings_of_a_case_stay_in_it():
    clock = Clock()
    ours = clock.task("a", 1)

    def warn():
        warnings.warn("not converged", stacklevel=1)  # an error in the tests
        return ours()

    assert measured(warn, clock.task("b", 1), clock).status == "ok"


# --- reporting ------------------------------------------------------------------------


def record(**changes):
    plain = Record(
        group="group",
        name="name",
        setting="n = 1",
        peer="peer",
        status="ok",
        target=0.5,
        checks=[Check("difference", 1e-9, 1e-6)],
        ours=[0.1, 0.3, 0.2],
        theirs=[0.4, 0.4, 0.4],
        ratio=0.5,
        lowest=0.25,
        highest=0.75,
    )
    return replace(plain, **changes)


def test_a_row_of_the_table():
    line = report.line(record(memory_ours=12.3, memory_theirs=45.6))
    cells = re.split(r"\s{2,}", line)
    assert cells[:3] == ["name", "n = 1", "peer"]
    assert " ".join(cells[3:]) == "200 ms 400 ms 0.50 0.25–0.75 ≤ 0.5 12 46"


def test_the_columns_stand_below_their_titles():
    titles, ruler = report.heading().splitlines()
    ends = [match.end() for match in re.finditer("-+", ruler)]
    line = report.line(record())
    assert line[: ends[5]].endswith("0.50")
    assert titles[: ends[5]].endswith("ratio")


def test_a_row_of_a_case_that_failed_says_why():
    line = report.line(record(status="failed", message="no good", ratio=None))
    assert line.endswith("FAILED: no good")


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (12.345, "12.35"),
        (0.5, "0.50"),
        (0.0123, "0.012"),
        (0.0004, "0.00040"),
        (0, "0"),
    ],
)
def test_ratios_have_two_digits(ratio, text):
    assert report.number(ratio) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.34, "12.3 s"), (0.01234, "12.3 ms"), (1.0, "1 s")]
)
def test_durations_have_three_digits(seconds, text):
    assert report.duration(seconds) == text


def test_means_are_geometric_and_by_task_and_peer():
    several = [
        record(ratio=1.0, mean_target=0.7),
        record(ratio=4.0, mean_target=0.7),
        record(ratio=9.0, peer="another"),
        record(ratio=None, status="failed"),
    ]
    (mean,) = harness.means(several)
    assert (mean.ratio, mean.cases, mean.target) == (pytest.approx(2), 2, 0.7)
    text = "group, name beside peer: 2.00 (2 cases, target ≤ 0.7)"
    assert report.mean_line(mean) == text


def test_the_summary_lists_what_is_above_its_target():
    text = report.summary([record(), record(ratio=0.6), record(status="skipped")])
    assert "group, name, n = 1: 0.60, target ≤ 0.5" in text
    assert "2 compared, 0 failed, 1 left out" in text
    assert "All targets" in report.summary([record()])


def test_the_file_gives_the_records_back(tmp_path):
    records = [record(), record(status="failed", message="why", ratio=None)]
    path = tmp_path / "new" / "file.json"
    report.write(path, report.as_data(records, {"python": "3"}, quick=True))
    data = json.loads(path.read_text("utf-8"))
    assert report.from_data(data) == records
    assert data["quick"] is True
    assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]


def test_a_file_of_another_form_is_refused():
    with pytest.raises(ValueError, match="expected form 1, got 7"):
        report.from_data({"form": 7})


def test_numbers_in_the_file_are_rounded():
    data = report.as_data([record(ratio=0.123456)], {}, quick=False)
    assert data["records"][0]["ratio"] == 0.1235


def test_the_environment_names_versions_and_threads():
    here = environment()
    assert {"numpy", "scipy", "scikit-learn"} <= set(here["packages"])
    assert here["threads"] >= 1
    assert here["processor"]
    json.dumps(here)


# --- the command ----------------------------------------------------------------------


@pytest.fixture
def fakes(monkeypatch):
    """Two cases in the place of all; the list can be changed."""
    clock = Clock()
    contest = Contest(clock.task("a", 1), clock.task("b", 2), agree)
    cases = [case(lambda: contest, repeats=1), case(lambda: contest, repeats=1)]
    monkeypatch.setattr(command, "cases", lambda groups, quick: cases)
    monkeypatch.setattr(command, "environment", lambda: {"python": "3"})
    measure = harness.measure
    monkeypatch.setattr(command, "measure", lambda c, effort: measure(c, EFFORT, clock))
    return cases


def test_the_command_prints_one_table_and_writes_it(fakes, capsys, tmp_path):
    path = tmp_path / "out.json"
    assert command.main(["--quick", "--json", str(path)]) == 0
    text = capsys.readouterr().out
    assert text.count("[group]") == 1
    assert text.count("ratio ") == 1
    assert "2 compared, 0 failed, 0 left out" in text
    assert len(report.from_data(json.loads(path.read_text("utf-8")))) == 2


def test_a_failure_stops_nothing_and_is_told(fakes, capsys):
    fakes.insert(0, case(lambda: 1 / 0))
    assert command.main([]) == 1
    text = capsys.readouterr().out
    assert "FAILED: ZeroDivisionError" in text
    assert "2 compared, 1 failed" in text


def test_groups_are_chosen_by_name(capsys):
    assert command.options(["--only", "gp,svm"]).groups == ["gp", "svm"]
    assert command.options([]).groups == list(benchmarks.GROUPS)
    with pytest.raises(SystemExit):
        command.options(["--only", "gp,nonsense"])
    assert "no group nonsense" in capsys.readouterr().err


# --- the cases ------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[True, False], ids=["quick", "full"])
def all_cases(request):
    return list(command.cases(benchmarks.GROUPS, request.param))


def test_every_group_has_cases():
    for name in benchmarks.GROUPS:
        module = importlib.import_module(f"benchmarks.{name}")
        for quick in (True, False):
            assert {c.group for c in module.cases(quick)} == {module.GROUP}


def test_cases_are_well_formed(all_cases):
    for c in all_cases:
        assert callable(c.prepare)
        assert all([c.group, c.name, c.setting, c.peer])
        assert c.target is None or 0 < c.target < 2
        assert c.memory or c.memory_target is None
        # So that the table stays a table.
        for text, width in zip(
            (c.name, c.setting, c.peer), report.WIDTHS, strict=False
        ):
            assert len(text) <= width


def test_no_case_stands_there_twice(all_cases):
    keys = [(c.group, c.name, c.setting, c.peer) for c in all_cases]
    assert len(set(keys)) == len(keys)


def test_a_group_stands_in_one_piece(all_cases):
    changes = [a.group != b.group for a, b in pairwise(all_cases)]
    assert sum(changes) + 1 == len(benchmarks.GROUPS)


# --- the page -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stored(pytestconfig):
    path = pytestconfig.rootpath / "reference" / "benchmarks.json"
    return json.loads(path.read_text("utf-8"))


def test_the_stored_file_has_the_form_that_the_page_reads(stored):
    records = report.from_data(stored)
    assert stored["environment"]["threads"] == 1
    assert stored["environment"].keys() == environment().keys()
    assert [r for r in records if r.status == "failed"] == []
    for r in records:
        if r.status == "ok":
            assert len(r.ours) == len(r.theirs) > 0
            assert 0 < r.lowest <= r.ratio <= r.highest
            assert r.checks
            assert all(check.holds for check in r.checks)


def test_the_stored_file_covers_all_cases(stored):
    now = command.cases(benchmarks.GROUPS, stored["quick"])
    expected = {(c.group, c.name, c.setting, c.peer) for c in now}
    found = {(r.group, r.name, r.setting, r.peer) for r in report.from_data(stored)}
    assert found == expected, "run `make bench`"


def test_the_stored_means_are_those_of_the_records(stored):
    expected = list(harness.means(report.from_data(stored)))
    for mean, kept in zip(expected, stored["means"], strict=True):
        assert mean.peer == kept["peer"]
        assert mean.ratio == pytest.approx(kept["ratio"], rel=1e-2)
