"""Tidied expressions: without factors 1, terms 0 and other disguises of a form."""

from __future__ import annotations

from operator import add, mul, sub, truediv

from kernellab.grading.language.tree import NUMBER, Expr, is_zero, num

_FOLDED = {"add": add, "sub": sub, "mul": mul, "div": truediv}


def tidied(node: Expr) -> Expr:
    """Return an expression with constants folded, zeros and ones left out.

    A vector of one number is the number.
    """
    return node.map(_tidy)


def _tidy(node: Expr) -> Expr:
    op, args = node.op, node.args
    numbers = [arg.data for arg in args if arg.op == "num"]
    if op in _FOLDED and len(numbers) == 2 and (op != "div" or numbers[1]):
        return num(_FOLDED[op](*numbers), node.shape)
    match op:
        case "mul" if any(map(is_zero, args)):
            return num(0, node.shape)
        case "mul":
            for factor, rest in (args, args[::-1]):
                if (_is_one(factor) or factor.op == "eye") and rest.shape == node.shape:
                    return rest
        case "add" | "sub" if is_zero(args[1]):
            return args[0]
        case "add" | "sub" if is_zero(args[0]):
            return args[1] if op == "add" else -args[1]
        case "neg" if numbers:
            return num(-numbers[0], node.shape)
        case "neg" if args[0].op == "neg":
            return args[0].args[0]
        case "div" if is_zero(args[0]) or _is_one(args[1]):
            return args[0]
        case "pow" if args[1].data == 1:
            return args[0]
        case "transpose" if args[0].shape == NUMBER:
            return args[0]
        case "call" if node.data == "exp" and is_zero(args[0]):
            return num(1, node.shape)
        case "call" if node.data == "vec" and len(args) == 1:
            return args[0]
    return node


def _is_one(node: Expr) -> bool:
    return node == num(1) and node.shape == NUMBER
