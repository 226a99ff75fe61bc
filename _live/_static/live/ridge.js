// Kernel ridge regression on the line, with the kernel k(x, z) = exp(−(x − z)²/2σ²).
//
//   kernellabRidge.fit(x, t, sigma, lam) solves (K + λI)a = t, and returns
//     a              the coefficients: f(u) = Σ aᵢ k(u, xᵢ)
//     leftOut        tᵢ − f₋ᵢ(xᵢ) = aᵢ / [(K + λI)⁻¹]ᵢᵢ, without fitting again
//     error          the root mean square of these: the leave-one-out error
//     training       the root mean square of tᵢ − f(xᵢ) = λaᵢ
//     predict(u)     f(u), and the variance k(u, u) − kᵤᵀ(K + λI)⁻¹kᵤ of a Gaussian
//                    process whose observations have the noise variance λ
//
// The tests compare all of it with kernellab's KernelRidge and GaussianProcess.
"use strict";

const kernellabRidge = (() => {
  const dot = (u, v) => u.reduce((sum, value, i) => sum + value * v[i], 0);
  const meanRoot = (v) => Math.sqrt(dot(v, v) / v.length);

  // The lower triangular L with LLᵀ = C, row by row.
  function cholesky(C) {
    const L = [];
    C.forEach((row, i) => {
      L.push([]);
      for (let j = 0; j < i; j++) L[i].push((row[j] - dot(L[j].slice(0, j), L[i])) / L[j][j]);
      L[i].push(Math.sqrt(row[i] - dot(L[i], L[i])));
    });
    return L;
  }

  // v with Lv = b.
  function forward(L, b) {
    const v = [];
    L.forEach((row, i) => v.push((b[i] - dot(v, row)) / row[i]));
    return v;
  }

  // v with Lᵀv = b.
  function backward(L, b) {
    const v = [...b];
    for (let i = L.length - 1; i >= 0; i--) {
      v[i] /= L[i][i];
      for (let j = 0; j < i; j++) v[j] -= L[i][j] * v[i];
    }
    return v;
  }

  function fit(x, t, sigma, lam) {
    const k = (u) => x.map((z) => Math.exp(-((u - z) ** 2) / (2 * sigma ** 2)));
    const unit = (i) => x.map((_, j) => Number(i === j));
    const L = cholesky(x.map((u, i) => k(u).map((value, j) => value + lam * unit(i)[j])));
    const a = backward(L, forward(L, t));
    const leftOut = a.map((value, i) => {
      const column = forward(L, unit(i));
      return value / dot(column, column);
    });
    const predict = (u) => {
      const ku = k(u);
      const v = forward(L, ku);
      return { mean: dot(ku, a), variance: Math.max(0, 1 - dot(v, v)) };
    };
    const training = meanRoot(a.map((value) => lam * value));
    return { a, leftOut, error: meanRoot(leftOut), training, predict };
  }

  return { fit };
})();
