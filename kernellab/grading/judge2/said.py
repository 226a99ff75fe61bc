import re
from dataclasses import dataclass
@dataclass(frozen=True)
class Said:
    text: str; stationary: bool=False; sufficient: bool=False; independent: bool=False; given: bool=False
    remark: bool=False; claim: bool=False; assumes: tuple=(); lines: tuple=(); names: tuple=()
def said(text, names=frozenset()):
    w=text.lower()
    return Said(text, bool(re.search(r"zero|optim|station|minim|maxim|mode|first.order|condition|= ?0|vanish|kkt|extrem|saddle|necessary",w)),
      bool(re.search(r"suffi|enough|one solution|choose|implied|solves|convex|solved by",w)), bool(re.search(r"independ|uncorr|gaussian|condition",w)),
      "given" in w, w.startswith(("remark","note")), w.startswith("claim"),
      tuple("invertible(%s)"%m for m in re.findall(r"(?:assum\w*|suppos\w*|if)(?: that)? (.+?) (?:is |to be )?(?:invertible|non-?singular|regular|full rank)",text)),
      tuple(int(x) for x in re.findall(r"(?:use|line|lines|from|eq\.?|\()\s*\(?(\d{1,3})",w)))
