"""Pieces with a form of their own: norms, fractions, derivatives, LaTeX sums."""

from __future__ import annotations

from kernellab.grading.language.lexer import ReadError, Token
from kernellab.grading.language.naming import Naming, gradient_of
from kernellab.grading.language.tree import Expr, num, sym


class Formulas(Naming):
    """What mathematics writes in two dimensions."""

    def norm(self) -> Expr:
        self.bars += 1
        inner = self.side()
        self.bars -= 1
        self.need("||")
        return Expr("call", (inner,), "norm")

    def bracket(self) -> Expr:
        left = self.side()
        if not self.take(",", "|"):
            raise ReadError("an inner product needs two arguments: ⟨u, v⟩")
        right = self.side()
        self.need(">")
        return Expr("call", (left, right), "dot")

    def fraction(self) -> Expr:
        top_start = self.at
        if self.derivative_ahead():
            return self.latex_derivative()
        self.at = top_start
        top = self.group()
        return Expr("div", (top, self.group()))

    def group(self) -> Expr:
        """One argument of \\frac: {…}, or a single digit or letter."""
        if self.take("{"):
            inner = self.side()
            self.need("}")
            return inner
        token = self.token
        if token.kind == "number" and len(token.text) > 1 and token.text.isdigit():
            self.stream[self.at] = Token("number", token.text[1:])  # \frac12
            return num(int(token.text[0]))
        return self.atom()

    def derivative_ahead(self) -> bool:
        texts = (self.token.text, self.peek().text)
        return texts == ("{", "partial")

    def latex_derivative(self) -> Expr:
        self.next()
        self.next()
        function = None if self.token.text == "}" else self.side()
        self.need("}")
        self.need("{")
        self.need("partial")
        variable = None if self.take("theta") else self.postfix(self.atom())
        self.need("}")
        if function is None:
            function = self.nested(self.factor)
        if variable is None:
            return Expr("call", (function,), "d")
        return gradient_of(function, variable)

    def inline_derivative(self) -> Expr:
        """∂J/∂a, ∂J/∂a_k and ∂_a J; ∂C alone is the derivative along θ."""
        if self.take("_"):
            if self.take("theta"):
                return Expr("call", (self.nested(self.power),), "d")
            variable = self.group()
            return gradient_of(self.nested(self.power), variable)
        function = self.nested(self.power)
        if self.token.text != "/" or self.peek().text != "partial":
            return Expr("call", (function,), "d")
        self.next()
        self.next()
        if self.take("theta"):
            return Expr("call", (function,), "d")
        return gradient_of(function, self.postfix(self.atom()))

    def nabla(self) -> Expr:
        self.need("nabla")
        variable: Expr | None = None
        if self.take("_") or self.peek().text in self.words.applied:  # ∇w J
            variable = self.group()
        function = self.nested(self.power)
        if variable is None:
            if self.words.variable is None:
                raise ReadError("say by what the gradient is taken: grad(J, a)")
            variable = sym(self.words.variable)
        return gradient_of(function, variable)

    def is_latex_sum(self) -> bool:
        """\\sum_n, also written with the Greek capital letter."""
        name = self.token.text
        greek = name == "Sigma" and "Sigma" not in self.words.symbols
        return (name == "sum" or greek) and self.peek().text == "_"

    def latex_sum(self) -> Expr:
        """\\sum_{n=1}^{N} body: the body is the product that follows."""
        self.next()
        self.need("_")
        names, size = self.lower_limit()
        if self.take("^"):
            braces = self.take("{")
            size = self.next().text
            if braces:
                self.need("}")
            if size not in self.words.sizes:
                sizes = " or ".join(sorted(self.words.sizes))
                raise ReadError(f"a sum runs up to {sizes}, not to “{size}”")
        body = self.nested(self.product)
        for name in reversed(names):
            body = Expr("sum", (body,), (name, size))
        return body

    def lower_limit(self) -> tuple[list[str], str | None]:
        names: list[str] = []
        if not self.take("{"):
            return list(self.next().text), None
        while not self.take("}"):
            if self.take("="):
                if self.next().text not in ("0", "1"):
                    raise ReadError("a sum starts at 1 (or 0)")
            elif not self.take(","):
                token = self.next()
                if token.kind != "name":
                    raise ReadError(f"“{token.text}” is not an index")
                names += list(token.text)
        return names, None
