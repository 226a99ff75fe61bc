"""Functions as answers: verdicts, messages, points, and attacks that gain nothing."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from kernellab.grading.classroom.bank import open_bank
from kernellab.grading.questions.base import Reference
from kernellab.grading.questions.code_comparison import difference, has_nan, show
from kernellab.grading.questions.code_questions import Cases, CodeQuestion, _remarks
from kernellab.grading.sandbox import Isolation, Limits, ProgramRun, Returned, demand
from tests.grading.sandbox.attacks.code_attacks import ATTACKS
from tests.grading.sandbox.strangers import eventually, processes_of

LIMITS = Limits(memory=512 << 20)

RIGHT = "def twice(x):\n    return 2 * x"

TWICE = CodeQuestion(
    id="twice",
    title="Twice",
    statement="Return $2x$.",
    points=3,
    references=(Reference(RIGHT),),
    function="twice",
    signature="def twice(x):",
    reference=lambda x: 2 * x,
    inputs=lambda rng, size: (rng.integers(1, 9, size).astype(float),),
    cases=3,
    limits=LIMITS,
)

ATTACKED = replace(
    TWICE, limits=Limits(seconds=1, cpu=1, memory=512 << 20, source=400_000)
)


def gram(rng, size):
    Phi = rng.integers(-2, 3, (size, size + 1)).astype(float)
    return Phi @ Phi.T + np.eye(size), rng.integers(-2, 3, size).astype(float), 0.5


def singular(rng, size):
    return np.ones((size, size)), rng.integers(1, 4, size).astype(float), 0.5


RIDGE_ANSWER = """
def ridge(K, t, lam):
    return np.linalg.solve(K + lam * np.eye(len(t)), t)
"""

RIDGE = CodeQuestion(
    id="ridge",
    title="Dual ridge",
    statement="Return $a = (K + λI)^{-1} t$.",
    points=4,
    references=(Reference(RIDGE_ANSWER),),
    function="ridge",
    signature="def ridge(K, t, lam):",
    reference=lambda K, t, lam: np.linalg.solve(K + lam * np.eye(len(t)), t),
    inputs=gram,
    edge_cases=(
        Cases("singular K", singular),
        Cases("one point", gram, count=1, smallest=1, weight=2.0),
    ),
    limits=LIMITS,
)


# The attacks in batches, of which each has some of every kind.
BATCHES = [list(ATTACKS)[start::8] for start in range(8)]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(batch, marks=[pytest.mark.exhaustive] if number else [])
        for number, batch in enumerate(BATCHES)
    ],
    ids=lambda batch: batch[0],
)
def graded(request, tmp_path_factory):
    """The outcomes of a batch of attacks and of honest answers, four at a time.

    Nothing that one of them does may change what another is given.
    """
    request.getfixturevalue("bubblewrap")
    scratch = tmp_path_factory.mktemp("scratch")

    def grade(name):
        with demand(Isolation.BUBBLEWRAP):
            return (ATTACKED if name in ATTACKS else TWICE).grade(answers[name])

    answers = {}
    for number, name in enumerate(request.param):
        answers[name] = ATTACKS[name]
        if number % 7 == 0:
            answers[f"honest after {name}"] = RIGHT
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(4) as pool:
        patch.setattr(tempfile, "tempdir", str(scratch))
        patch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{scratch}")
        outcomes = pool.map(grade, answers)
        return scratch, dict(zip(answers, outcomes, strict=True))


def test_an_attack_gains_nothing(graded):
    for name in graded[1].keys() & ATTACKS.keys():
        outcome = graded[1][name]
        assert (outcome.status, outcome.points) == ("wrong", 0.0), (name, outcome.text)
        assert len(outcome.text) < 3000, name
        assert all(line.isprintable() for line in outcome.text.splitlines()), name
        assert "<script" not in outcome.html, name


def test_honest_answers_between_the_attacks_get_their_points(graded):
    honest = [graded[1][name] for name in graded[1] if name not in ATTACKS]
    assert {outcome.points for outcome in honest} == {3.0}


def test_attacks_leave_no_process_and_no_file_behind(graded):
    assert list(graded[0].iterdir()) == []
    assert eventually(lambda: processes_of(graded[0]) == [])


@pytest.mark.parametrize(
    "answer",
    [
        RIDGE_ANSWER,
        "def ridge(K, t, lam):\n    return np.linalg.inv(K + lam*np.eye(len(K))) @ t",
        "from scipy.linalg import solve\n\ndef ridge(K, t, lam):\n"
        "    return solve(K + lam * np.eye(len(t)), t, assume_a='pos').tolist()",
        "ridge = lambda K, t, lam: tuple(np.linalg.solve(K + lam*np.eye(len(t)), t))",
        "from dataclasses import dataclass\n\n@dataclass\nclass Ridge:\n"
        "    lam: float\n    def fit(self, K, t):\n"
        "        return np.linalg.solve(K + self.lam * np.eye(len(t)), t)\n\n"
        "def ridge(K, t, lam):\n    return Ridge(lam).fit(K, t)",
    ],
)
def test_right_answers_in_several_styles(answer):
    outcome = RIDGE.grade(answer)
    assert (outcome.status, outcome.points) == ("right", 4.0), outcome.text


def test_half_at_most_if_an_edge_case_fails():
    answer = (
        "def ridge(K, t, lam):\n    Ki = np.linalg.inv(K)\n"
        "    return Ki @ np.linalg.solve(np.eye(len(t)) + lam * Ki, t)"
    )
    outcome = RIDGE.grade(answer)
    assert (outcome.status, outcome.points) == ("partial", 2.0)
    assert "singular K: 0 of 3 cases right" in outcome.text
    assert "LinAlgError: Singular matrix" in outcome.text
    assert "line 2: `Ki = np.linalg.inv(K)`" in outcome.text


def test_nothing_if_only_edge_cases_are_right():
    outcome = RIDGE.grade("def ridge(K, t, lam):\n    return t / (K[0] + lam)")
    assert "✓ one point: 1 of 1 cases right" in outcome.text
    assert (outcome.status, outcome.points) == ("wrong", 0.0)


def test_an_endless_loop_in_an_edge_case_leaves_the_rest():
    loop = "    while np.linalg.matrix_rank(K) < len(K): pass"
    answer = RIDGE_ANSWER.replace("lam):", f"lam):\n{loop}")
    outcome = replace(RIDGE, limits=replace(LIMITS, cpu=2)).grade(answer)
    assert outcome.points == 1.0  # the kind after the loop was not reached
    assert "the time was over" in outcome.text


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("def twice(x):\n    return x", "came `[3, 2]`\n    expected `[6, 4]`"),
        ("def twice(x):\n    return 2 * x[:, None]", "of shape (2, 1) came, an array"),
        ("def twice(x):\n    2 * x", "None came (is a `return` missing?)"),
        ("def twice(x):\n    return 2 * y", "NameError: name 'y' is not defined"),
        ("def twice(x)\n    return x", "SyntaxError: expected ':'\n    line 1: `def"),
        ("def twice(x):\n    return [[1], [1, 2]]", "whose rows differ in length"),
        ("def double(x):\n    return 2 * x", "there is no function twice here"),
        ("def twice(x):\n    return np.ones(10**11)", "more memory than the 512 MiB"),
        (
            "def twice(x):\n    return np.ones(10**7)",
            "10000000 numbers, more than 2097152, came",
        ),
        ("import torch", "standard library, NumPy and SciPy can be imported here"),
        ("def twice(x):\n    exit()", "stops"),
        ("def twice(x):\n    print('hello')", "· printed: hello\n    hello"),
        ("def twice(x):\n    return {'a': 1}", "a value of type dict came"),
        ("def twice(x):\n    return 2 * x + 0j", "complex numbers came, real ones"),
        ("import os\nos._exit(0)", "ended before it returned a value"),
    ],
)
def test_the_report_says_what_is_wrong(answer, says):
    text = TWICE.grade(answer).text
    assert says in text, text


def test_changed_inputs_are_noticed_and_the_comparison_is_not_fooled():
    outcome = TWICE.grade("def twice(x):\n    x *= 2\n    return x")
    assert outcome.status == "right"
    assert "the function changes the arrays that it is given" in outcome.text


def test_changed_inputs_cost_half_where_the_statement_asks_to_leave_them():
    strict = replace(TWICE, keep_arrays=True)
    outcome = strict.grade("def twice(x):\n    x *= 2\n    return x")
    assert outcome.points == TWICE.points / 2
    assert "✗ the function changes the arrays that it is given" in outcome.text
    assert strict.grade("def twice(x):\n    return 2 * x").status == "right"


def test_what_the_statement_asks_for_counts():
    asks = "Leave the arrays that you are given as they are"
    for question in open_bank().questions.values():
        if isinstance(question, CodeQuestion):
            said = asks in " ".join(question.statement.split())
            assert question.keep_arrays == said, question.id


def test_nan_in_a_browser_is_explained():
    came = Returned((np.array([1.0, np.nan]),))
    for isolation, count in ((Isolation.BROWSER, 1), (Isolation.PROCESS, 0)):
        run = ProgramRun((came,), loaded=True, isolation=isolation)
        texts = [remark.text for remark in _remarks(run)]
        assert sum("LinAlgError" in text for text in texts) == count
    assert not has_nan(Returned((np.array([1, 2]), np.array(["nan"]))))
    assert not has_nan(Returned(None))


def test_the_shown_case_is_the_smallest_that_fails():
    answer = "def twice(x):\n    return 2 * x if len(x) < 4 else x"
    text = TWICE.grade(answer).text
    assert "regular: 2 of 3 cases right" in text
    line = next(line for line in text.splitlines() if "for `x" in line)
    assert line.count(",") == 3


def test_an_exam_shows_verdicts_only():
    outcome = TWICE.grade("def twice(x):\n    print(1)\n    return x", exam=True)
    assert outcome.text == "Twice: wrong, 0 of 3 points"
    assert "expected" not in outcome.html


def test_reports_repeat_themselves_and_seeds_do_not():
    answer = "def twice(x):\n    return x"
    one, two, other = (TWICE.grade(answer, seed=seed) for seed in (5, 5, 6))
    assert one.text == two.text
    assert one.html == two.html
    assert one.text != other.text


def test_answers_learned_by_heart_fail_under_another_seed():
    table = {
        size: (2 * TWICE.inputs(np.random.default_rng(0), size)[0]).tolist()
        for size in (2, 3, 4)
    }
    answer = f"def twice(x):\n    return {table}[len(x)]"
    assert TWICE.grade(answer, seed=12345).points == 0


def test_blank_answers_and_the_starter_are_unanswered():
    assert TWICE.starter == "import numpy as np\n\n\ndef twice(x):\n    ...\n"
    assert TWICE.grade("# nothing yet").status == "unanswered"
    assert TWICE.grade(TWICE.starter).status == "unanswered"


def test_the_outcome_says_how_the_code_was_run(bubblewrap):
    assert TWICE.grade(RIGHT).data == {"isolation": "process", "end": ""}
    with demand(Isolation.BUBBLEWRAP):
        assert TWICE.grade(RIGHT).data == {"isolation": "bubblewrap", "end": ""}


def test_several_values():
    question = CodeQuestion(
        id="both",
        title="Both",
        statement="",
        points=1,
        references=(Reference("def both(x): return 2 * x, x.sum()"),),
        function="both",
        signature="def both(x):",
        reference=lambda x: (2 * x, x.sum()),
        inputs=TWICE.inputs,
        limits=LIMITS,
    )
    assert question.grade("def both(x): return [2 * x, x.sum()]").status == "right"
    assert "value 2 of 2" in question.grade("def both(x): return 2 * x, x").text
    assert "3 values came" in question.grade("def both(x): return 1, 2, 3").text
    assert question.grade("def both(x): return 2 * x").points == 0


@pytest.mark.parametrize("signature", ["def other(x):", "twice = 2"])
def test_a_signature_must_define_the_function(signature):
    with pytest.raises((ValueError, SyntaxError)):
        replace(TWICE, signature=signature)


def test_our_own_failures_are_called_errors(monkeypatch):
    def broken(x):
        raise RuntimeError("a bug in the sheet")

    outcome = replace(TWICE, reference=broken).grade(RIGHT)
    assert (outcome.status, outcome.points) == ("error", 0.0)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert TWICE.grade(RIGHT).status == "error"


def test_in_a_browser_the_answer_runs_in_place_and_says_so(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    right = TWICE.grade("def twice(x):\n    print('here')\n    return 2 * x")
    assert right.status == "right"
    assert "it ran in your browser" in right.text
    assert "printed: here" in right.text
    assert "ValueError" in TWICE.grade("def twice(x):\n    raise ValueError").text
    assert "SyntaxError" in TWICE.grade("def twice(x)").text


@pytest.mark.parametrize(
    ("right", "came", "ok"),
    [
        ([1.0, 1e-9], [1.0, 0.0], True),  # relative to the largest entry
        ([1.0, 2.0], [1.0, 2.001], False),
        ([np.nan, 1.0], [np.nan, 1.0], True),
        ([np.nan, 1.0], [1.0, np.nan], False),
        ([np.inf], [np.inf], True),
        ([np.inf], [-np.inf], False),
        ([1.0], [np.inf], False),
        ([], [], True),
        ([1e308], [-1e308], False),
        ([True, False], [1, 0], True),
    ],
)
def test_comparison(right, came, ok):
    words = difference((np.array(right),), Returned((np.array(came),)), 1e-6, 1e-9)
    assert (words == "") is ok


def test_arrays_are_shown_short():
    assert show(np.eye(2, dtype=int)) == "[[1, 0], [0, 1]]"
    assert show(1 / 3) == "0.3333"
    assert show("rbf") == "'rbf'"
    assert show(np.array([1e-30, 1.0])) == "[0, 1]"
    assert show(np.ones((9, 9))) == "an array of shape (9, 9), [1, 1, 1, 1, …]"
