"""The progress bar: what it prints, and that it mostly prints nothing."""

import io

import pytest

from kernellab.errors import InputError
from kernellab.progress import Progress, track


class Clock:
    """A clock that the test moves."""

    now = 0.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def frames(stream):
    return [frame.strip() for frame in stream.getvalue().split("\r")[1:]]


def test_asked_for_it_draws_at_once_and_ends_the_line():
    screen, clock = io.StringIO(), Clock()
    with Progress("fit", 10, show=True, stream=screen, clock=clock) as bar:
        bar.advance()
    assert frames(screen)[0].startswith("fit [##......")
    assert "10%  1/10" in frames(screen)[0]
    assert screen.getvalue().endswith("\n")


def test_not_more_than_ten_drawings_a_second_and_a_last_one():
    screen, clock = io.StringIO(), Clock()
    with Progress("fit", 1000, show=True, stream=screen, clock=clock) as bar:
        for step in range(1000):
            clock.now = step / 1000
            bar.advance()
    assert 5 <= len(frames(screen)) <= 12
    assert "1000/1000" in frames(screen)[-1]
    assert "100%" in frames(screen)[-1]


@pytest.mark.parametrize(
    ("stream", "seconds", "drawn"),
    [(Terminal(), 1.0, False), (Terminal(), 5.0, True), (io.StringIO(), 5.0, False)],
)
def test_unasked_only_on_a_terminal_and_after_a_while(stream, seconds, drawn):
    clock = Clock()
    with Progress("fit", 2, stream=stream, clock=clock) as bar:
        bar.advance()
        clock.now = seconds
        bar.advance()
    assert bool(stream.getvalue()) == drawn


def test_never_if_told_so():
    screen, clock = Terminal(), Clock()
    with Progress("fit", 2, show=False, stream=screen, clock=clock) as bar:
        clock.now = 100.0
        bar.advance()
    assert screen.getvalue() == ""


def test_silent_by_default_here(capsys):
    with Progress("fit", 2) as bar:
        bar.advance()
    assert list(track(range(3), "count")) == [0, 1, 2]
    captured = capsys.readouterr()
    assert captured.err == captured.out == ""


def test_standard_error_is_the_default(capsys):
    assert list(track("ab", "letters", show=True)) == ["a", "b"]
    captured = capsys.readouterr()
    assert "letters [" in captured.err
    assert "2/2" in captured.err
    assert captured.out == ""


def test_a_shorter_line_wipes_the_longer_one():
    screen, clock = io.StringIO(), Clock()
    with Progress("fit", 4, show=True, stream=screen, clock=clock) as bar:
        bar.advance(note="a long note about the gap")
        clock.now = 1.0
        bar.advance(note="")
    raw = screen.getvalue().split("\r")[1:]
    assert len(raw[1]) >= len(raw[0])
    assert "note" not in raw[1]


def test_a_line_stays_within_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    screen = Terminal()
    with Progress("fit", show=True, stream=screen, clock=Clock()) as bar:
        bar.expect(4)
        bar.advance(note="a long note about the gap")
    assert frames(screen)[-1].startswith("fit [######....")
    assert max(map(len, screen.getvalue().rstrip("\n").split("\r"))) == 39


def test_time_left_and_notes():
    screen, clock = io.StringIO(), Clock()
    with Progress("fit", 4, show=True, stream=screen, clock=clock) as bar:
        clock.now = 100.0
        bar.reach(1, note="gap 0.1")
    assert frames(screen)[0].endswith("25%  1/4  1 min 40 s, 5 min 0 s left  gap 0.1")


def test_without_a_total_it_counts():
    screen = io.StringIO()
    with Progress("fit", show=True, stream=screen, clock=Clock()) as bar:
        bar.advance(3)
    assert frames(screen)[-1] == "fit  3  0 s"


def test_more_than_promised_and_nothing_to_do():
    screen = io.StringIO()
    with Progress("fit", 2, show=True, stream=screen, clock=Clock()) as bar:
        bar.advance(5)
    assert "100%  5/2" in frames(screen)[-1]
    assert list(track([], "nothing", show=True, stream=io.StringIO())) == []


def test_a_generator_has_no_length():
    screen = io.StringIO()
    assert sum(track((i for i in range(4)), "sum", show=True, stream=screen)) == 6
    assert frames(screen)[-1].startswith("sum  4")


def test_the_line_is_left_when_the_work_fails():
    def work():
        with Progress("fit", 2, show=True, stream=screen) as bar:
            bar.advance()
            raise ZeroDivisionError

    screen = io.StringIO()
    with pytest.raises(ZeroDivisionError):
        work()
    assert screen.getvalue().endswith("\n")


def test_errors():
    with pytest.raises(InputError, match="show must be True, False or None, got 'yes'"):
        Progress("fit", show="yes")
    with pytest.raises(InputError, match="total must not be negative, got -1"):
        Progress("fit", -1)
