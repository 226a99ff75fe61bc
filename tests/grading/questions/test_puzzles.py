"""Puzzles: every topological order is right, and nothing else is."""

import itertools

import pytest

from kernellab.grading.questions.base import Reference
from kernellab.grading.questions.puzzles import Block, Puzzle

DIAMOND = (
    Block("start", "Start."),
    Block("left", "Left, $<$.", needs=("start",)),
    Block("right", "Right.", needs=("start",)),
    Block("end", "End.", needs=("left", "right")),
    Block("trap", "Trap.", why="it assumes what is to be shown"),
)


def puzzle(blocks=DIAMOND, **options):
    return Puzzle(
        id=options.pop("id", "diamond"),
        title="Diamond",
        statement="Order the blocks.",
        points=4,
        references=(Reference("start, left, right, end"),),
        blocks=blocks,
        **options,
    )


P = puzzle()


def test_exactly_the_topological_orders_are_right():
    right = {("start", "left", "right", "end"), ("start", "right", "left", "end")}
    names = [block.id for block in DIAMOND]
    for size in range(1, 6):
        for order in itertools.permutations(names, size):
            outcome = P.grade("\n".join(order))
            assert (outcome.status == "right") == (order in right), order
            assert (outcome.points == 4) == (order in right), order


@pytest.mark.parametrize(
    "write",
    [
        lambda s: "\n".join(s),
        lambda s: ", ".join(s),
        lambda s: "".join(s),
        lambda s: " -> ".join(s).lower(),
        lambda s: " → ".join(s) + "   # done",
        lambda s: "\n".join(f"{i}. {c}" for i, c in enumerate(s, 1)),
        lambda s: "\n".join(f"- **{c}.** some text here" for c in s),
        lambda s: "\n".join(f"{c}: because of this" for c in s),
    ],
)
def test_ways_to_write_an_order(write):
    letters = P.lettered("start, left, right, end").split()
    assert P.grade(write(letters)).status == "right"


def test_the_first_misplaced_block_is_named():
    early = P.grade("start, left, end, right")
    place = f"block {P.letters['end']}, number 3 of your list, comes too early"
    assert place in early.text
    assert f"rests on block {P.letters['right']}" in " ".join(early.text.split())
    assert early.points == 3


def test_a_gap_is_said_without_naming_the_missing_block():
    gap = P.grade("start, left, end")
    assert "rests on something" in gap.text
    assert f"block {P.letters['right']}" not in gap.text
    short = P.grade("start, left")
    assert (short.points, short.status) == (2, "partial")
    assert "more is needed" in short.text


def test_a_distractor_costs_and_says_why():
    outcome = P.grade("start, trap, left, right, end")
    assert outcome.points == 3
    assert "assumes what is to be shown" in outcome.text
    assert P.grade("trap").points == 0


def test_repetition_gains_nothing():
    assert P.grade("start, start, start, start").points < 1
    everything = ", ".join(block.id for block in DIAMOND) * 1
    assert P.grade(everything).points <= 3


def test_letters_never_show_a_right_order():
    for i in range(40):
        p = puzzle(id=f"diamond-{i}")
        order = sorted(p.letters, key=p.letters.__getitem__)
        assert p.grade(", ".join(n for n in order if n != "trap")).status != "right"
        assert sorted(p.letters.values()) == list("ABCDE")


def test_routes_and_either_or():
    blocks = (
        Block("aa", "By a."),
        Block("bb", "By b."),
        Block("bc", "And c.", needs=("bb",)),
        Block("zz", "Hence.", needs=("aa|bc",)),
    )
    p = puzzle(blocks, routes=(("aa", "zz"), ("bb", "bc", "zz")))
    assert p.grade("aa, zz").status == "right"
    assert p.grade("bb, bc, zz").status == "right"
    mixed = p.grade("aa, bb, bc, zz")
    assert mixed.status == "partial"
    assert "another way" in mixed.text
    assert p.grade("bb, zz").status == "partial"


def test_the_prompt_lists_every_block_by_letter():
    for block in DIAMOND:
        assert f"- **{P.letters[block.id]}.** {block.text}" in P.prompt
    assert P.prompt.startswith("Order the blocks.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Q", "is no block"),
        ("start, nowhere", "`nowhere` is no block"),
        ("<script>A</script>", "is no block"),
        ("А, В", "is no block"),  # Cyrillic
        ("1, 2, 3", "no block is named"),
        ("A\n" * 100_000, "too long"),
        ("A " * 5_000, "more letters than blocks"),
        ("(" * 10_000, "no block is named"),
    ],
)
def test_unreadable_answers(text, says):
    outcome = P.grade(text)
    assert outcome.points == 0
    assert says in " ".join(outcome.text.split())


def test_wrong_declarations_are_refused():
    with pytest.raises(ValueError, match="circle"):
        puzzle((Block("aa", "", needs=("bb",)), Block("bb", "", needs=("aa",))))
    with pytest.raises(ValueError, match="no block is called"):
        puzzle((Block("aa", "", needs=("cc",)),))
    with pytest.raises(ValueError, match="two characters"):
        puzzle((Block("a", ""),))
    with pytest.raises(ValueError, match="each id once"):
        puzzle((Block("aa", ""), Block("aa", "")))


def test_an_exam_shows_no_explanations():
    assert "assumes" not in P.grade("start, trap", exam=True).text
