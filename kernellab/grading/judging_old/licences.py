"""Licences: reasons that point somewhere, inverses that exist, divisors not 0."""

from __future__ import annotations

from kernellab.grading.judging_old.bounds import Bounds
from kernellab.grading.judging_old.verdicts import Passed, Rejected
from kernellab.grading.language.reasons import Action
from kernellab.grading.language.shapes import NUMBER
from kernellab.grading.language.tree import Expr, Relation


class Licences(Bounds):
    """Checks what a line takes for granted before it is judged."""

    def check_reasons(self, actions: list[Action]) -> None:
        """Reasons that point nowhere are asked back."""
        for action in actions:
            for number in action.lines:
                if self.library.by_number(number) is None:
                    raise Rejected(
                        f"“{action.text}”: there is no line {number} above that could "
                        "be used",
                        "reason",
                    )
            if action.kind == "sufficient" and not self.problem.sufficient:
                raise Rejected(
                    "in this problem a line has to follow from the one before; a "
                    "sufficient condition is not enough",
                    "reason",
                )

    def check_licences(self, relation: Relation, actions: list[Action]) -> None:
        """What is inverted must have an inverse, what divides must not be 0."""
        for side in relation.sides:
            for node in side.walk():
                self.check_licence(node)
        for action in actions:
            X = action.expression
            if action.kind in ("inverse", "cancel") and X is not None:
                self.need_regular(
                    X, "cancelled" if action.kind == "cancel" else "inverted"
                )

    def check_licence(self, node: Expr) -> None:
        if node.op == "inv" or (node.op == "pow" and node.args[1].data < 0):
            self.need_regular(node.args[0], "inverted")
        elif node.op == "div":
            self.need_regular(node.args[1], "divided by")
        root = node.op == "call" and node.data == "sqrt"
        half = node.op == "pow" and node.args[1].data.denominator == 2
        if (root or half) and not self.signs.nonneg(node.args[0]):
            raise Rejected(f"{node.args[0]} may be negative: it has no root", "licence")

    def need_regular(self, X: Expr, how: str) -> None:
        if X.shape and X.shape[0] != X.shape[1]:
            raise Rejected(f"{X} is not square: it cannot be {how}", "licence")
        if not self.signs.regular(X):
            what = "may be 0" if X.shape == NUMBER else "may be singular"
            advice = (
                "; assume that it is invertible and say so, or find another way"
                if str(X) in self.problem.assumable else ""
            )  # fmt: skip
            raise Rejected(f"{X} {what}: it cannot be {how}{advice}", "licence")

    def assume(self, actions: list[Action]) -> Passed:
        """The only assumptions are those that the problem allows."""
        for action in actions:
            if action.kind != "assume":
                continue
            X = action.expression
            allowed = self.problem.assumable
            if X is not None and X.op == "invertible":
                X = X.args[0]
            if X is not None and self.signs.regular(X):
                continue
            if X is None or str(X) not in allowed:
                names = " or ".join(allowed)
                may = (
                    f"you may assume that {names} is invertible"
                    if names
                    else ("this problem needs no assumption")
                )
                raise Rejected(
                    f"“{action.text}” cannot be assumed here: {may}", "reason"
                )
            if str(X) not in map(str, self.invertible):
                definition = self.symbols[str(X)].definition
                more = (X,) if definition is None else (X, definition)
                self.invertible += more
        return Passed(True)
