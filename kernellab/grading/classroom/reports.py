"""Reports in HTML: one self-contained file a student, and one for the class.

No script, no other file, no address; light and dark as the reader's system is. What a
grader says about an answer comes as HTML from the grader, which escapes what students
wrote; everything else is escaped here.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from kernellab.grading.classroom.gradebook import Mark, Result, number
from kernellab.grading.classroom.marking import cut
from kernellab.grading.classroom.terminal import SIGNS
from kernellab.grading.questions.base import Question
from kernellab.grading.safe_text import html_text

LONGEST_ANSWER = 20_000
STYLE = (files(__package__) / "reports.css").read_text(encoding="utf-8")


def page(title: str, body: str) -> str:
    """Return a whole HTML file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html_text(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def student_report(result: Result, code: str) -> str:
    """Return one student's report: the points, each question, how code was run."""
    who = result.record.name or result.record.student
    points = f"{number(result.total)} of {number(result.out_of)} points"
    body = [
        f"<h1>{html_text(who)}: {points}</h1>",
        _remarks(result),
        _summary(result.marks),
        *(
            _section(mark, result.record.answers.get(mark.question.id))
            for mark in result.marks
        ),
        f"<p><small>{html_text(code)}</small></p>",
    ]
    return page(f"{who}: grades", "\n".join(part for part in body if part))


def _remarks(result: Result) -> str:
    lines = [f"Not read: {problem}" for problem in result.record.problems]
    lines += [*result.record.notes, *result.notes]
    if not lines:
        return ""
    items = "".join(f"<li>{html_text(line)}</li>" for line in lines)
    return f'<div class="note"><h2>Remarks</h2><ul>{items}</ul></div>'


def _summary(marks: Iterable[Mark]) -> str:
    rows = [
        f'<tr><th scope="row"><a href="#{html_text(m.question.id)}">'
        f"{html_text(m.question.title)}</a></th><td>{_verdict(m)}</td>{_number(m.points)}"
        f"{_number(m.question.points)}</tr>"
        for m in marks
    ]
    return _table("Questions", ["Question", "Verdict"], ["Points", "Of"], rows)


def _section(mark: Mark, answer: str | None) -> str:
    question, outcome = mark.question, mark.outcome
    report = outcome.html or f"<pre>{html_text(outcome.text or outcome.summary)}</pre>"
    parts = [
        f'<section id="{html_text(question.id)}">',
        f"<h2>{html_text(question.title)}</h2>",
        f"<p>{_verdict(mark)} · {number(mark.points)} of {question.points} points</p>",
        _decision(mark),
        report,
    ]
    if answer and answer.strip():
        shown = html_text(cut(answer, LONGEST_ANSWER))
        parts.append(
            f"<details><summary>The answer</summary><pre>{shown}</pre></details>"
        )
    return "\n".join([*(part for part in parts if part), "</section>"])


def _decision(mark: Mark) -> str:
    if mark.override is None:
        return ""
    by = f" by {html_text(mark.override.by)}" if mark.override.by else ""
    comment = f": {html_text(mark.override.comment)}" if mark.override.comment else ""
    counted = number(mark.outcome.points)
    return (
        f'<p class="note">Decided{by}, {number(mark.override.points)} points{comment} '
        f"(the grader gave {counted}).</p>"
    )


def _verdict(mark: Mark) -> str:
    status = mark.outcome.status
    decided = ", decided by a person" if mark.override else ""
    return f'<span class="{status}">{SIGNS[status]} {status}{decided}</span>'


def class_report(found: list[Result], code: str) -> str:
    """Return the index of a class: statistics, questions, and a link to each
    student.
    """
    totals = [result.total for result in found]
    body = ["<h1>Grades</h1>", f"<p>{html_text(code)}</p>"]
    body.append(_spread(totals, found[0].out_of if found else 0.0))
    if found:
        asked = [mark.question for mark in found[0].marks]
        rows = [_question_row(i, q, found) for i, q in enumerate(asked)]
        body.append(_table("Questions", ["Question", "Answers"], ["Mean", "Of"], rows))
    rows = [_student_row(result) for result in found]
    body.append(_table("Students", ["Student", "Status"], ["Points", "Of"], rows))
    return page("Grades", "\n".join(body))


def _spread(totals: list[float], out_of: float) -> str:
    if not totals:
        return "<p>There is no submission.</p>"
    facts = {
        "students": str(len(totals)),
        "points": number(out_of),
        "mean": number(statistics.fmean(totals)),
        "median": number(statistics.median(totals)),
        "lowest": number(min(totals)),
        "highest": number(max(totals)),
    }
    rows = [f'<tr><th scope="row">{k}</th>{_cell(v)}</tr>' for k, v in facts.items()]
    return _table("The class", ["What"], ["Value"], rows) + _histogram(totals, out_of)


def _histogram(totals: list[float], out_of: float) -> str:
    bins = Counter(min(int(10 * t / out_of), 9) if out_of else 0 for t in totals)
    rows = []
    for i in range(10):
        width = 20 * bins[i] / max(bins.values())
        bar = f'<span class="bar" style="width:{width:.1f}rem"></span>'
        share = f"{10 * i} to {10 * i + 10} %"
        rows.append(f'<tr><th scope="row">{share}</th><td>{bar} {bins[i]}</td></tr>')
    return _table("Totals", ["Share of the points", "Students"], [], rows)


def _question_row(i: int, question: Question, found: list[Result]) -> str:
    count: Counter[str] = Counter(result.marks[i].outcome.status for result in found)
    shares = ", ".join(f"{count[s]} {s}" for s in SIGNS if count[s])
    mean = statistics.fmean(result.marks[i].points for result in found)
    return (
        f'<tr><th scope="row">{html_text(question.title)} '
        f"<small>{html_text(question.id)}</small></th><td>{shares}</td>{_number(mean)}{_number(question.points)}</tr>"
    )


def _student_row(result: Result) -> str:
    record = result.record
    who = f"{record.name} ({record.student})" if record.name else record.student
    return (
        f'<tr><th scope="row"><a href="reports/{record.key}.html">'
        f"{html_text(who)}</a></th><td>{result.status}</td>{_number(result.total)}{_number(result.out_of)}</tr>"
    )


def _table(caption: str, words: list[str], numbers: list[str], rows: list[str]) -> str:
    heads = [f'<th scope="col">{w}</th>' for w in words]
    heads += [f'<th scope="col" class="n">{n}</th>' for n in numbers]
    return (
        f"<h2>{caption}</h2>\n<table>\n<thead><tr>{''.join(heads)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>\n"
    )


def _number(points: float) -> str:
    return _cell(number(points))


def _cell(words: str) -> str:
    return f'<td class="n">{words}</td>'
