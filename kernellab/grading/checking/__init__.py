"""The second checker: multiplies certificates out anew, slowly, without any search.

Why does a certificate that passes imply its lines, for all sizes and values?

*Trusted* are the problem that the certificate names (its definitions, givens and
declarations), what it says was said (stationarity, assumptions, cases), the reader of
`language`, which gives every tree its shapes anew, and the modules here. Nothing is
taken from the prover: not a shape, not a sign, not a normal form.

*Checked* is each link, in the order of the text:

1. What it inverts has an inverse, what it divides by is not 0, what it takes the root
   or logarithm of has one: by its form, by a declaration, or because it was assumed
   (`licences`, `signs`; the form of squares is in `squares`).
2. Every fact that it cites holds: it is rebuilt from the problem and from the lines
   before (`facts`). Each is an equation left − right = 0, or a bound left − right ≥ 0.
3. Coefficient × context × fact, summed over the indices that the certificate names, is
   0 again; a piece with a context that is not negative is not negative (`bounds`).
4. These are added, and compared with left − right of the link. Both are multiplied out
   to a sum of products of entries (`expansion`, `functions`, `derivatives`), whose
   normal form is the same for equal sums only (`sums`, `labelling`).

So left − right is a sum of zeros: the link holds. A proof with parts (‖x‖² = 0, two
bounds, a sufficient condition, a case, an induction, a claim) is a theorem whose
premises are such links (`verifying`, `suppositions`, `claims`). On which definitions
and conditions a link rests is noted as its facts are rebuilt: only an identity, which
rests on no condition, may be differentiated. Symbols that a student may not define are
refused by `names`. Work and sizes are bounded; what cannot be read is refused.
"""

from kernellab.grading.checking.verifying import Verification, verify

__all__ = ["Verification", "verify"]
