"""Find where genes are spliced: strings in, classes out, no feature extraction.

Which words of three letters a piece of DNA contains says little; where they stand says
almost everything. Repeated sequences stay together when the data are split.

It prints

    words                  61% right
    words in their places  97% right
"""

from kernellab import SVC, data
from kernellab import kernels as kl

train, test = data.splice().take(slice(0, None, 3)).split()

machines = {}
for name, kernel in {
    "words": kl.Spectrum(p=3),
    "words in their places": kl.PositionalSpectrum(p=1, longest=3, sigma=0.5),
}.items():
    machine = SVC(kl.normalize(kernel), C=10.0).fit(train.X, train.y)
    machines[name] = machine
    print(f"{name:22} {machine.score(test.X, test.y):.0%} right")
