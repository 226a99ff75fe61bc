"""`python -m benchmarks`: measure, print one table, and write what was measured."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import GROUPS
from benchmarks.environment import environment
from benchmarks.harness import FULL, QUICK, Case, Record, measure
from benchmarks.report import as_data, heading, line, merged, summary, write


def cases(groups: Iterable[str], quick: bool) -> Iterator[Case]:
    """The cases of some groups, one group after the other."""
    for group in groups:
        yield from importlib.import_module(f"benchmarks.{group}").cases(quick)


def all_groups() -> list[str]:
    """The groups by the names that records give them, in the order of the table."""
    modules = (importlib.import_module(f"benchmarks.{group}") for group in GROUPS)
    return [module.GROUP for module in modules]


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser("benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller problems")
    parser.add_argument("--only", help=f"groups, with commas: {', '.join(GROUPS)}")
    parser.add_argument("--json", type=Path, help="the file to write")
    parser.add_argument("--seconds", type=float, help="for the rounds of a case")
    chosen = parser.parse_args(arguments)
    chosen.groups = chosen.only.split(",") if chosen.only else list(GROUPS)
    if unknown := set(chosen.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there is {GROUPS}")
    return chosen


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a case failed."""
    chosen = options(arguments)
    # All of them first: only what is imported can be held to one thread.
    todo, records = list(cases(chosen.groups, chosen.quick)), list[Record]()
    effort = QUICK if chosen.quick else FULL
    if chosen.seconds:
        effort = replace(effort, seconds=chosen.seconds)
    with threadpool_limits(1):
        here = environment()
        print("\n".join(f"{key}: {value}" for key, value in here.items()))
        print("\nRatio of processor times: below 1, kernellab is faster.")
        if chosen.quick:
            print("These are small problems; the targets are those of the large ones.")
        print()
        print(heading(), flush=True)
        for case in todo:
            if not records or records[-1].group != case.group:
                print(f"[{case.group}]", flush=True)
            records.append(measure(case, effort))
            print(line(records[-1]), flush=True)
    print("\n" + summary(records))
    if chosen.json:
        kept = merged(chosen.json, records, all_groups()) if chosen.only else records
        write(chosen.json, as_data(kept, here, chosen.quick))
        print(f"written: {chosen.json}")
    return int(any(record.status == "failed" for record in records))


if __name__ == "__main__":
    sys.exit(main())
