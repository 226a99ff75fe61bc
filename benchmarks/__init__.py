"""kernellab beside the libraries that a user would otherwise pick.

    python -m benchmarks                     all groups, about a quarter of an hour
    python -m benchmarks --quick             smaller problems, about a minute
    python -m benchmarks --only gp,svm       some groups
    python -m benchmarks --seconds 1         a second for the rounds of a case, not 4
    python -m benchmarks --json FILE         also write what was measured; with --only,
                                             into what the file has of other groups

`harness` says what a case is and how it is measured, `report` prints the table,
`environment` says on what it was measured. Each of the other modules is a group: its
function `cases(quick)` yields the cases.
"""

GROUPS = (
    "first_call",
    "gram",
    "strings",
    "ridge",
    "pca",
    "logistic",
    "lowrank",
    "perceptron",
    "svm",
    "linear_svm",
    "gp",
    "gp_classification",
    "sparse_gp",
)
"""The modules with cases, in the order of the table."""
