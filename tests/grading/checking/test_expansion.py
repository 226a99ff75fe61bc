"""Expansions have the value of the tree: compared modulo a prime, with loops."""

import random
from fractions import Fraction
from itertools import product

import pytest

from kernellab.grading.checking.expansion import Expansion
from kernellab.grading.checking.labelling import Refused
from kernellab.grading.checking.names import names_of
from kernellab.grading.problem import Milestone, Problem, Route
from tests.grading.checking.certificates import RIDGE, certificate, relation, tree

P = 1_000_003
SIZES = {"N": 2, "M": 3, "1": 1}
PROBLEM = Problem(
    "any",
    """
    A : N x M
    B : N x N
    K : N x N, psd
    S : N x N, symmetric = B + B.T
    t : N
    u : M
    c : number
    s : positive
    w : M = A.T@t
    """,
    (Route((Milestone("end", "c = 0"),)),),
)


# The value of a tree, rows of entries


def value(node, world, places=None):
    """Return the matrix of a tree modulo P, straight from the definitions."""
    places = places or {}
    args = [value(arg, world, places) for arg in node.args if node.op != "sum"]
    match node.op:
        case "num":
            rows, columns = (SIZES[size] for size in node.shape)
            return [[residue(node.data)] * columns for _ in range(rows)]
        case "sym":
            return [[SIZES[node.data]]] if node.data in SIZES else world[node.data]
        case "eye":
            n = SIZES[node.data]
            return [[int(i == j) for j in range(n)] for i in range(n)]
        case "ones":
            return [[1]] * SIZES[node.data]
        case "neg":
            return entrywise(lambda x: -x, *args)
        case "add":
            return entrywise(lambda x, y: x + y, *args)
        case "sub":
            return entrywise(lambda x, y: x - y, *args)
        case "mul" if node.data == "@":
            return matmul(*args)
        case "mul":
            one, two = args if node.args[0].shape == ("1", "1") else args[::-1]
            return entrywise(lambda x: one[0][0] * x, two)
        case "div":
            return entrywise(lambda x: x * pow(args[1][0][0], -1, P), args[0])
        case "pow" if node.shape == ("1", "1"):
            return [[pow(args[0][0][0], int(node.args[1].data), P)]]
        case "pow":
            return matmul(args[0], args[0])
        case "transpose":
            return transposed(args[0])
        case "inv":
            return inverse(args[0])
        case "index":
            at = [places[i] for i in node.data]
            if len(at) == 2:
                return [[args[0][at[0]][at[1]]]]
            return transposed([args[0][at[0]]])
        case "sum":
            name, size = node.data
            terms = [
                value(node.args[0], world, {**places, name: k})
                for k in range(SIZES[size])
            ]
            return entrywise(lambda *x: sum(x), *terms)
        case "call":
            return CALLS[node.data](*args)
    raise NotImplementedError(node.op)


def residue(number):
    return number.numerator * pow(number.denominator, -1, P) % P


def entrywise(f, *matrices):
    rows = [zip(*lines, strict=True) for lines in zip(*matrices, strict=True)]
    return [[f(*entries) % P for entries in row] for row in rows]


def matmul(one, two):
    columns = transposed(two)
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) % P for column in columns]
        for row in one
    ]


def transposed(matrix):
    return [list(row) for row in zip(*matrix, strict=True)]


def inverse(matrix):
    """Return the inverse by Gauss and Jordan."""
    n = len(matrix)
    work = [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if work[i][k] % P), None)
        if pivot is None:
            raise ZeroDivisionError
        work[k], work[pivot] = work[pivot], work[k]
        scale = pow(work[k][k], -1, P)
        work[k] = [x * scale % P for x in work[k]]
        for i in range(n):
            if i != k:
                f = work[i][k]
                pairs = zip(work[i], work[k], strict=True)
                work[i] = [(x - f * y) % P for x, y in pairs]
    return [row[n:] for row in work]


def diag(x):
    if len(x[0]) > 1:
        return [[x[i][i]] for i in range(len(x))]
    return [[x[i][0] * (i == j) for j in range(len(x))] for i in range(len(x))]


def total(x):
    return [[sum(map(sum, x)) % P]]


CALLS = {
    "norm2": lambda x: total(entrywise(lambda a: a * a, x)),
    "dot": lambda x, y: total(entrywise(lambda a, b: a * b, x, y)),
    "had": lambda x, y: entrywise(lambda a, b: a * b, x, y),
    "trace": lambda x: [[sum(x[i][i] for i in range(len(x))) % P]],
    "total": total,
    "diag": diag,
}


# The value of an expansion


def expanded(one, shape, world):
    """Return the matrix of an expansion modulo P, with loops over all indices."""
    rows, columns = (SIZES[size] for size in shape)
    return [
        [
            sum(
                residue(c) * term_value(term, world, i, j)
                for term, c in one.terms.items()
            )
            % P
            for j in range(columns)
        ]
        for i in range(rows)
    ]


def term_value(term, world, row, column):
    powers, factors = term
    result = network_value(factors, world, {"row": row, "column": column})
    for atom, power in powers:
        assert power.denominator == 1
        result *= pow(number_value(atom, world), int(power), P)
    return result % P


def network_value(net, world, places):
    sizes = {
        i: SIZES[size]
        for atom, at in net
        for i, size in zip(at, atom.sizes, strict=True)
        if i not in places
    }
    result = 0
    for values in product(*map(range, sizes.values())):
        at_all = {**places, **dict(zip(sizes, values, strict=True))}
        part = 1
        for atom, at in net:
            part *= entry(tensor(atom, world), [at_all[i] for i in at])
        result += part
    return result % P


def entry(matrix, at):
    return matrix[at[0]][at[1] if len(at) == 2 else 0]


def tensor(atom, world):
    if atom.kind == "symbol":
        return world[atom.data]
    if atom.kind == "eye":
        return CALLS["diag"]([[1]] * SIZES[atom.data])
    assert atom.kind == "inverse"
    return inverse(expanded(atom.inner, atom.sizes, world))


def number_value(atom, world):
    match atom.kind:
        case "symbol":
            return world[atom.data][0][0]
        case "size":
            return SIZES[atom.data]
        case "net":
            return network_value(atom.data, world, {})
        case "base":
            return expanded(atom.inner, ("1", "1"), world)[0][0]
    raise NotImplementedError(atom.kind)


# Random expressions


def random_world(rng):
    world = {}
    for name, symbol in PROBLEM.table.items():
        rows, columns = (SIZES[size] for size in symbol.shape)
        world[name] = [[rng.randrange(P) for _ in range(columns)] for _ in range(rows)]
    K = world["K"]
    K[1][0] = K[0][1]
    for name in ("S", "w"):
        world[name] = value(PROBLEM.table[name].definition, world)
    return world


LEAVES = {
    ("1", "1"): ["c", "s", "2", "3/5", "N", "sum(t)",
                 "sum(t[n]*K[n,m]*t[m] for n in N for m in N)",
                 "sum(u.T@A.T@B[n] for n in N)"],
    ("N", "1"): ["t", "A@u", "ones(N)", "diag(B)"],
    ("M", "1"): ["u", "w", "A.T@t", "sum(t[n]*A[n] for n in N)"],
    ("N", "N"): ["B", "K", "S", "I(N)", "diag(t)", "B.T", "t@t.T"],
    ("N", "M"): ["A", "t@u.T", "B@A"],
}  # fmt: skip


def random_text(rng, shape, depth):
    """Return an expression of a shape."""
    if depth == 0:
        return rng.choice(LEAVES[shape])

    def of(rows, columns):
        return f"({random_text(rng, (rows, columns), depth - 1)})"

    ways = [f"{of(*shape)} + {of(*shape)}", f"{of(*shape)} - {of(*shape)}",
            f"{of('1', '1')}*{of(*shape)}", f"-{of(*shape)}"]  # fmt: skip
    if shape == ("1", "1"):
        ways += [f"{of('N', '1')}.T@{of('N', '1')}", f"norm2({of('N', 'M')})",
                 f"trace({of('N', 'N')})", f"dot({of('M', '1')}, {of('M', '1')})",
                 f"{of(*shape)}/{of(*shape)}", f"{of(*shape)}**2",
                 f"sum({of('N', '1')})"]  # fmt: skip
    else:
        ways += [f"had({of(*shape)}, {of(*shape)})", f"{of(*shape)}/{of('1', '1')}"]
    if shape[0] == "N":
        ways.append(f"{of('N', 'N')}@{of(*shape)}")
    if shape == ("N", "N"):
        ways += [f"inv({of(*shape)})", f"{of(*shape)}.T", f"{of(*shape)}**2"]
    return rng.choice(ways)


@pytest.mark.parametrize("seed", range(60))
def test_an_expansion_has_the_value_of_the_tree(seed):
    rng = random.Random(seed)
    names = names_of(certificate(PROBLEM))
    compared = 0
    for _ in range(12):
        shape = rng.choice(list(LEAVES))
        node = tree(PROBLEM, random_text(rng, shape, rng.choice((1, 2, 2, 3))))
        opened = frozenset(rng.sample(["S", "w"], rng.randrange(3)))
        world = random_world(rng)
        try:
            one = Expansion(names, opened)(node)
            direct = value(node, world)
        except (ValueError, ZeroDivisionError):
            continue
        except Refused as why:
            if "0" in str(why) or "too" in str(why):
                continue  # the inverse or reciprocal of 0, or a large product
            raise
        assert expanded(one, node.shape, world) == direct, str(node)
        compared += 1
    assert compared >= 6


IDENTITIES = [
    "exp(c)*exp(2*s) = exp(c + 2*s)", "exp(c)/exp(c) = 1", "exp(c - c) = 1",
    "exp(c)**2 = exp(2*c)", "inv(inv(B + K)) = B + K", "inv(B).T = inv(B.T)",
    "inv(s*B)*s = inv(B)", "inv(2*c*K + 2*c*I) = inv(K + I)/(2*c)",
    "inv(K/s + I) = s*inv(K + s*I)", "inv(2*B + 3*A@A.T) = inv(2*B.T + 3*A@A.T).T",
    "sqrt(s**2) = s", "sqrt(4*s)*sqrt(s) = 2*s", "sqrt(s + 1)**2 = s + 1",
    "log(1) = 0", "det(I(N)) = 1", "K[n,m] = K[m,n]", "trace(I(N)) = N",
    "t.T@K@A@u = u.T@A.T@K@t",
    "sum(exp(c + t[n]) for n in N) = exp(c)*sum(exp(t[m]) for m in N)",
    "log(t.T@K@A@u) = log(u.T@A.T@K@t)", "1/(2*s + 2) = 1/2*(s + 1)**-1",
    "grad(2*c**2*s, c) = 2*s*grad(c**2, c)", "grad(s, c) = 0", "grad(c**2, c) = 2*c",
    "diff(t.T@t, t[n]) = grad(t.T@t, t)[n]", "t@t.T = (t@t.T).T",
    "had(B, I)@ones(N) = diag(B)", "ones(N).T@ones(N) = N",
]  # fmt: skip
DIFFERENT = [
    "inv(B).T = inv(B)", "sqrt(c**2) = c", "B[n,m] = B[m,n]", "exp(c) = exp(s)",
    "exp(2*c) = 2*exp(c)", "inv(K + B) = inv(K) + inv(B)", "1/(s + 1) = 1/s + 1",
    "t.T@B@t*s = t.T@B@t", "grad(c**2, c) = c", "trace(B@K@B) = trace(B@B.T@K)",
    "log(c*s) = log(c) + log(s)", "sum(t[n]*t[n] for n in N) = sum(t)**2",
    "inv(A@A.T)@A = A@inv(A.T@A)", "N = 2", "s*s**-1 = s",
]  # fmt: skip


def difference(problem, text, opened=()):
    sides = relation(problem, text)[0].sides
    e = Expansion(names_of(certificate(problem)), frozenset(opened))
    return e(sides[0]) - e(sides[1])


@pytest.mark.parametrize("text", IDENTITIES)
def test_identities(text):
    assert not difference(PROBLEM, text)


@pytest.mark.parametrize("text", DIFFERENT)
def test_what_is_not_the_same(text):
    assert difference(PROBLEM, text)


LITERAL = Problem(
    "literal", "x : 2\nz : 2\nc : positive\nK : 2 x 2, psd",
    (Route((Milestone("end", "c = 0"),)),), sizes=(),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "x.T@z = x[0]*z[0] + x[1]*z[1]",
        "(x.T@z + c)**2 = dot(vec(x[0]**2, x[1]**2, sqrt(2)*x[0]*x[1], sqrt(2*c)*x[0],"
        " sqrt(2*c)*x[1], c), vec(z[0]**2, z[1]**2, sqrt(2)*z[0]*z[1], sqrt(2*c)*z[0],"
        " sqrt(2*c)*z[1], c))",
        "vec(x[0], x[1]) = x",
        "x.T@K@x = K[0,0]*x[0]**2 + 2*K[0,1]*x[0]*x[1] + K[1,1]*x[1]**2",
        "trace(K) = K[0,0] + K[1,1]",
    ],
)
def test_literal_sizes_are_written_out(text):
    assert not difference(LITERAL, text)


def test_a_definition_is_put_in_only_if_it_is_opened():
    assert difference(RIDGE, "K = Phi@Phi.T")
    assert not difference(RIDGE, "K = Phi@Phi.T", ["K"])


def test_what_looks_alike_too_often_is_refused():
    ring = "@".join(["K"] * 11)
    with pytest.raises(Refused, match="too long"):
        difference(PROBLEM, f"trace({ring}) = 0")


def test_the_fraction_of_a_coefficient_is_exact():
    assert not difference(PROBLEM, "c/3 + c/6 = c/2")
    assert Fraction(1, 3) in difference(PROBLEM, "c/3 = 0").terms.values()
