"""From tokens to trees: a recursive-descent reader for the language of derivations.

    relation  :=  side ((= | >= | <=) side)*
    side      :=  product ((+ | -) product)*
    product   :=  factor ((* | @ | / | nothing) factor)*
    factor    :=  - factor  |  sum  |  gradient  |  power
    power     :=  postfix (** | ^) exponent
    postfix   :=  atom (.T | [i, j] | _i)*

The whitelist is the grammar itself: what it does not name cannot be said.
"""

from __future__ import annotations

from kernellab.grading.language.cursor import MAX_DEPTH
from kernellab.grading.language.formulas import Formulas
from kernellab.grading.language.indexing import power_of
from kernellab.grading.language.lexer import ReadError, is_latex, number, tokens
from kernellab.grading.language.tree import Expr, Relation, num
from kernellab.grading.language.vocabulary import Vocabulary

SIGNS = {"=": "=", "==": "=", ">=": ">=", "<=": "<="}


def read(text: str, vocabulary: Vocabulary, one_based: bool = False) -> Relation:
    """Read one relation, or one claim; raises `ReadError` with words for the student.

    Examples
    --------
    >>> words = Vocabulary(frozenset({"K", "a", "t", "lam"}))
    >>> print(read("(K + lam*I)@a = t", words))
    (K + lam*I)@a = t
    >>> print(read(r"a = (K+\\lambda I_N)^{-1} t", words))
    a = inv(K + lam@I(N))@t
    """
    return _Parser(tokens(text), vocabulary, is_latex(text), one_based).relation()


class _Parser(Formulas):
    """The rules of the grammar, from relations down to atoms."""

    def relation(self) -> Relation:
        if self.take("not"):
            return Relation((Expr("not", (self.side(),)),), ())
        sides, signs = [self.side()], []
        while self.token.text in SIGNS and self.token.kind == "sign":
            signs.append(SIGNS[self.next().text])
            sides.append(self.side())
        if self.token.kind != "end":
            raise ReadError(f"I cannot continue at “{self.token.text}”")
        return Relation(tuple(sides), tuple(signs))

    def side(self) -> Expr:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ReadError(f"more than {MAX_DEPTH} brackets inside each other")
        left = self.product()
        while self.token.text in ("+", "-") and self.token.kind == "sign":
            op = "add" if self.next().text == "+" else "sub"
            left = Expr(op, (left, self.product()))
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.factor()
        while True:
            if self.take("*", "@"):
                sign = self.stream[self.at - 1].text
                left = Expr("mul", (left, self.factor()), sign)
            elif self.take("/"):
                left = Expr("div", (left, self.factor()))
            elif self.take("odot"):
                left = Expr("call", (left, self.factor()), "had")
            elif self.take("cdot"):
                left = Expr("mul", (left, self.factor()), "·")
            elif self.starts_factor():
                left = Expr("mul", (left, self.factor()), "")
            else:
                return left

    def starts_factor(self) -> bool:
        """Whether two factors stand side by side, as in 2 K or (K + I) a."""
        kind, text = self.token.kind, self.token.text
        if kind == "name":
            return text not in ("for", "in")
        if kind == "number":
            return self.latex
        opening = ("(", "{", "[", "frac", "nabla", "partial", "<")
        return kind == "sign" and (text in opening or (text == "||" and not self.bars))

    def factor(self) -> Expr:
        if self.take("-"):
            return Expr("neg", (self.nested(self.factor),))
        if self.take("+"):
            return self.nested(self.factor)
        if self.is_latex_sum():
            return self.latex_sum()
        if self.token.text == "nabla":
            return self.nabla()
        return self.power()

    def power(self) -> Expr:
        base = self.postfix(self.atom())
        if self.take("**"):
            return power_of(base, self.nested(self.exponent))
        return base

    def exponent(self) -> Expr:
        if self.take("-"):
            return Expr("neg", (self.exponent(),))
        return self.power()

    def postfix(self, base: Expr) -> Expr:
        for _ in range(MAX_DEPTH):
            if self.take(".T", "'"):
                base = Expr("transpose", (base,))
            elif self.token.text == "[" and self.index_ahead():
                base = self.indexed(base, self.bracketed_indices())
            elif self.token.text == "_":
                base = self.subscript(base)
            elif self.take("^"):
                base = self.superscript(base)
            else:
                return base
        raise ReadError(f"more than {MAX_DEPTH} marks behind one symbol")

    def atom(self) -> Expr:
        token = self.next()
        if token.kind == "number":
            return num(number(token.text))
        if token.kind == "name":
            return self.named(token.text)
        match token.text:
            case "(" | "{" | "[":
                inner = self.side()
                self.need({"(": ")", "{": "}", "[": "]"}[token.text])
                return inner
            case "||":
                return self.norm()
            case "<":
                return self.bracket()
            case "frac":
                return self.fraction()
            case "partial":
                return self.inline_derivative()
            case "":
                raise ReadError("the line ends where an expression is needed")
        raise ReadError(f"I did not expect “{token.text}” here")
