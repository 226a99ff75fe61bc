"""GPyTorch's exact Gaussian process, with the model of the other cases. Optional."""

from __future__ import annotations

from typing import Any

import gpytorch
import numpy as np
import torch
from scipy.optimize import minimize


class Model(gpytorch.models.ExactGP):  # type: ignore[misc]
    """A Gaussian kernel with a scale and a width for each coordinate; mean zero."""

    def __init__(self, X: torch.Tensor, t: torch.Tensor, law: Any) -> None:
        super().__init__(X, t, law)
        base = gpytorch.kernels.RBFKernel(ard_num_dims=X.shape[1])
        self.covar_module = gpytorch.kernels.ScaleKernel(base)

    def forward(self, x: torch.Tensor) -> Any:
        """The prior at some points."""
        mean = torch.zeros(len(x), dtype=x.dtype)
        return gpytorch.distributions.MultivariateNormal(mean, self.covar_module(x))


class Exact:
    """The log marginal likelihood with its gradient, by one Cholesky factorisation."""

    def __init__(
        self, X: np.ndarray, t: np.ndarray, scale: float, sigma: float, noise: float
    ) -> None:
        torch.set_num_threads(1)
        self.X, self.t = torch.tensor(X), torch.tensor(t)
        law = gpytorch.likelihoods.GaussianLikelihood().double()
        self.model = Model(self.X, self.t, law).double()
        self.model.covar_module.outputscale = scale
        self.model.covar_module.base_kernel.lengthscale = sigma
        law.noise = noise
        self.mean = gpytorch.mlls.ExactMarginalLogLikelihood(law, self.model)
        kernel = self.model.covar_module
        self.raw = (
            (kernel, "outputscale"),
            (kernel.base_kernel, "lengthscale"),
            (law.noise_covar, "noise"),
        )

    def evaluate(self) -> torch.Tensor:
        """The value; the gradient stays with the parameters."""
        self.model.zero_grad()
        with gpytorch.settings.max_cholesky_size(10**6):  # never conjugate gradients
            value = self.mean(self.model(self.X), self.t) * len(self.t)
            value.backward()
        return value.detach()

    def in_logarithms(self) -> tuple[float, np.ndarray]:
        """Value, and gradient in the logarithms of scale, widths and noise."""
        value, gradient = self.evaluate(), []
        for module, name in self.raw:
            raw = getattr(module, f"raw_{name}")
            # A parameter is softplus(raw), perhaps plus a constant.
            slope = raw.grad / torch.sigmoid(raw)
            gradient.append((getattr(module, name) * slope).detach().numpy().ravel())
        return float(value), np.concatenate(gradient)

    def learn(self) -> float:
        """Maximise the likelihood in the raw parameters; the highest value."""
        raw = [getattr(module, f"raw_{name}") for module, name in self.raw]

        def objective(vector: np.ndarray) -> tuple[float, np.ndarray]:
            torch.nn.utils.vector_to_parameters(torch.tensor(vector), raw)
            value = self.evaluate()
            return -float(value), -torch.cat([r.grad.ravel() for r in raw]).numpy()

        start = torch.nn.utils.parameters_to_vector(raw).detach().numpy()
        return -float(minimize(objective, start, jac=True, method="L-BFGS-B").fun)
