r"""
---
kind: values
title: Going round in circles
points: 6
proofs: P-45
---

Three points on the line: $x = -1$ with $y = +1$, $x = 0$ with $y = -1$, $x = 1$ with
$y = +1$, in this order; $g(x) = wx + w_0$, both zero at first, rate 1.

First, a proof that no $w$ and $w_0$ separate them. Give

- `z`, three numbers $z_i \ge 0$, not all zero, with $\sum_i z_i\, y_i\, (x_i, 1) =
  (0, 0)$. (If $g$ were right at all three points, $\sum_i z_i\, y_i\, g(x_i)$ would be
  positive; but it is zero.)

Then run the perceptron, and give

- `end1`, `end2`, `end3`: the vector $[w, w_0]$ at the end of the first, second and
  third pass;
- `period`, after how many passes the vector at the end of a pass returns;
- `per_pass`, the number of mistakes in each pass, from the second on;
- `added`, what one period adds to the counts $\alpha$ (three numbers);
- `alpha101` and `end101`, $\alpha$ and $[w, w_0]$ after 101 passes.

```values
z
end1 = [0, 1]
  trap [1, 1]: this is the end of the second pass
  trap [-1, 1]: this is after the first point
  trap [1, 0]: the order is [w, w₀]
end2 = [1, 1]
  trap [0, 0]: at x = 1, g = 0 is a mistake
  trap [0, 1]: what is g at x = 0, where the label is -1?
end3 = [0, 1]
  trap [1, 1]: at x = -1, g = 0 is a mistake
  trap [1, 0]: the order is [w, w₀]
period = 2
  trap 3: compare end1 and end3
per_pass = 2
  trap 3: this is the first pass
added = [1, 2, 1]
  trap [0, 1, 1]: this is the second pass alone
  trap [1, 1, 0]: this is the third pass alone
  trap [1, -2, 1]: counts have no sign
alpha101 = [51, 101, 51]
  trap [101, 202, 101]: a period has two passes, and the first pass is none of them
  trap [50, 100, 50]: the first pass counts too
end101 = [0, 1]
  trap [1, 1]: 101 is odd: like pass 1 or pass 2?
```

```hints
For `z`: the two outer points together weigh as much as the one between.

Nine tests suffice. A score 0 is a mistake.

What one period adds to $\alpha$ adds nothing to $w$ and $w_0$. Compare it with `z`.
```

```reference numbers
z = [1, 2, 1]
end1 = [0, 1]
end2 = [1, 1]
end3 = [0, 1]
period = 2
per_pass = 2
added = [1, 2, 1]
alpha101 = [51, 101, 51]
end101 = [0, 1]
```

```reference weights that sum to one
z = [1/4, 1/2, 1/4]; end1 = [0, 1]; end2 = [1, 1]; end3 = [0, 1]
period = 2; per_pass = 2; added = [0 + 1, 1 + 1, 1 + 0]
alpha101 = [1 + 50, 1 + 50*2, 1 + 50]; end101 = [0, 1]
```

```mistake on=numbers at_most=0.8 says="no number may be negative"
# the label is put into z
1: z = [1, -2, 1]
7: added = [1, -2, 1]
```

```mistake on=numbers at_most=0.6 says="g = 0 is a mistake"
# a score of zero taken for right, and z that does not balance
1: z = [1, 1, 1]
3: end2 = [0, 0]
6: per_pass = 1
8: alpha101 = [101, 202, 101]
```

```mistake on=numbers at_most=0.6 says="not all of the numbers may be zero"
# z = 0 proves nothing; the first pass taken for all
1: z = [0, 0, 0]
5: period = 3
6: per_pass = 3
8: alpha101 = [50, 100, 50]
9: end101 = [1, 1]
```

```mistake on=numbers at_most=0.6 says="the order is"
# w and w₀ exchanged
1: z = [1, 2]
2: end1 = [1, 0]
4: end3 = [1, 0]
9: end101 = [1, 0]
```
"""

from collections.abc import Mapping
from typing import Any

from kernellab.grading.authoring import question
from kernellab.grading.questions.exact import Real
from kernellab.grading.questions.feedback import Finding


def check_certificate(data: Mapping[str, Any]) -> list[Finding]:
    """z ≥ 0, not zero, with Σ zᵢ yᵢ (xᵢ, 1) = 0 for x = -1, 0, 1 and y = 1, -1, 1."""
    z = data["z"]
    if not isinstance(z, tuple) or len(z) != 3:
        return [Finding(False, "`z`: three numbers are asked for")]
    if all(entry.same(Real(0)) for entry in z):
        return [Finding(False, "`z`: not all of the numbers may be zero")]
    if any(entry.sign() == -1 for entry in z):
        return [Finding(False, "`z`: no number may be negative")]
    balanced = z[0].same(z[2]) and z[1].same(z[0] + z[2])
    verb = "is" if balanced else "is not"
    return [Finding(balanced, f"the sum of the zᵢ yᵢ (xᵢ, 1) {verb} zero", 1.0)]


QUESTION = question(
    __file__,
    __doc__,
    check=check_certificate,
    check_weight=1,
)
