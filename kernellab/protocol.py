"""The conventions of scikit-learn, kept without importing it.

`Pipeline`, `GridSearchCV`, `clone` and the rest ask an estimator for its parameters by
name, for tags that say what it takes, and for the columns that it was fitted to. All
of that is here, in one mixin. scikit-learn itself is imported only by
`__sklearn_tags__`, which nobody but scikit-learn calls.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from kernellab.errors import InputError, not_fitted
from kernellab.kernels.base import Kernel
from kernellab.kernels.naming import named_parameters, with_parameters

PRECOMPUTED = "precomputed"
"""In place of a kernel: X is then the Gram matrix itself."""

MAX_NAMED_COLUMNS = 5
"""How many columns an error message names."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of X that an estimator was fitted to.

    Parameters
    ----------
    owner : the name of the estimator, for messages.
    count : how many columns; None if X was a list of objects.
    names : their names, if X was a data frame; else None.
    """

    owner: str
    count: int | None
    names: tuple[str, ...] | None = None

    @classmethod
    def of(cls, owner: str, X: Any, count: int | None) -> Self:
        return cls(owner, count, None if count is None else column_names(X))

    def require_names(self, X: Any) -> None:
        """Refuse a data frame with other columns, or with the same in another order."""
        names = column_names(X)
        if None in (names, self.names) or names == self.names:
            return
        assert names is not None
        assert self.names is not None
        unseen = sorted(set(names) - set(self.names))
        missing = sorted(set(self.names) - set(names))
        found = _listed("Feature names unseen at fit time", unseen)
        found += _listed("Feature names seen at fit time, yet now missing", missing)
        raise InputError(
            "The feature names should match those that were passed during fit.\n"
            + (found or "Feature names must be in the same order as they were in fit.")
        )

    def require_count(self, count: int | None, name: str = "X") -> None:
        """Refuse points with another number of columns."""
        if count != self.count:
            raise InputError(
                f"{name} has {_features(count)}, but {self.owner} is expecting "
                f"{_features(self.count)} as input, as in fit"
            )

    def require_same(self, names: tuple[str, ...]) -> None:
        """Refuse names of the columns of X that are not those of `fit`."""
        if self.names not in (None, names):
            raise InputError(
                f"input_features is not equal to feature_names_in_: {names} are not "
                f"{self.names}"
            )
        if len(names) != self.count:
            raise InputError(
                "input_features should have length equal to the number of features, "
                f"{self.count}; got {len(names)}"
            )


def column_names(X: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a data frame, if they are strings."""
    names = getattr(X, "columns", None)
    found = () if names is None or callable(names) else tuple(names)
    return found if found and all(isinstance(name, str) for name in found) else None


def _features(count: int | None) -> str:
    return "objects" if count is None else f"{count} features"


def _listed(title: str, names: list[str]) -> str:
    if not names:
        return ""
    shown = names[:MAX_NAMED_COLUMNS] + ["..."] * (len(names) > MAX_NAMED_COLUMNS)
    return "\n".join([f"{title}:", *(f"- {name}" for name in shown), ""])


class SklearnProtocol:
    """What scikit-learn asks of an estimator that is a dataclass.

    A subclass answers `fitted_columns`, and may say more of itself by the class
    variables below.
    """

    takes_sparse: ClassVar[bool] = False
    """Whether X may be a sparse matrix."""

    takes_several_outputs: ClassVar[bool] = False
    """Whether y may have several columns."""

    takes_several_classes: ClassVar[bool] = True
    """Whether y may have more than two classes."""

    @property
    def estimator_type(self) -> str | None:
        """ "classifier", "regressor", "transformer" or "outlier_detector"."""
        return None

    def fitted_columns(self) -> Columns:
        """Return the columns of X in `fit`; raise `not_fitted` if there was none."""
        raise not_fitted(type(self).__name__)

    # --- parameters -----------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : also those of parts that have parameters, as `kernel__sigma`.
        """
        mine: Any = self
        params = {f.name: getattr(self, f.name) for f in fields(mine) if f.init}
        if not deep:
            return params
        return params | {
            f"{name}__{inner}": value
            for name, part in params.items()
            for inner, value in _params_of(part).items()
        }

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name; they take effect at the next `fit`.

        A name such as `kernel__sigma` changes the part `kernel`; what was given for a
        part as a whole comes first.
        """
        known = self.get_params(deep=False)
        whole = {name: value for name, value in params.items() if "__" not in name}
        inner: dict[str, dict[str, Any]] = {}
        for name in params.keys() - whole.keys():
            part, _, rest = name.partition("__")
            inner.setdefault(part, {})[rest] = params[name]
        unknown = sorted((whole.keys() | inner.keys()) - known.keys())
        if unknown:
            raise InputError(
                f"{type(self).__name__} has no parameter {', '.join(unknown)}; "
                f"it has {', '.join(known)}"
            )
        for name, value in whole.items():
            setattr(self, name, value)
        for name, changes in inner.items():
            setattr(self, name, _changed(name, getattr(self, name), changes))
        return self

    # --- the columns of X -----------------------------------------------------------

    @property
    def n_features_in_(self) -> int:
        """The number of columns of X in `fit`."""
        count = self.fitted_columns().count
        if count is None:
            raise AttributeError("X was a list of objects, which have no columns")
        return count

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the columns of X in `fit`, if it was a data frame."""
        names = self.fitted_columns().names
        if names is None:
            raise AttributeError("X had no names of columns in fit")
        return np.array(names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        try:
            self.fitted_columns()
        except AttributeError:
            return False
        return True

    # --- tags -----------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn wants to know of an estimator (1.6 or later)."""
        from sklearn import utils

        kind = self.estimator_type
        several = self.takes_several_classes
        return utils.Tags(
            estimator_type=kind,
            target_tags=utils.TargetTags(
                required=kind in ("classifier", "regressor"),
                multi_output=self.takes_several_outputs,
            ),
            classifier_tags=utils.ClassifierTags(multi_class=several)
            if kind == "classifier"
            else None,
            regressor_tags=utils.RegressorTags() if kind == "regressor" else None,
            transformer_tags=utils.TransformerTags() if kind == "transformer" else None,
            input_tags=utils.InputTags(
                sparse=self.takes_sparse,
                pairwise=is_precomputed(getattr(self, "kernel", None)),
            ),
        )


class TransformerProtocol(SklearnProtocol):
    """What scikit-learn asks of a transformer: columns with names, data frames.

    A subclass answers `n_columns_out`, and passes what `transform` found through
    `_as_wanted`.
    """

    estimator_type = "transformer"
    _sklearn_output_config: dict[str, str]  # `clone` looks for it by this name

    def n_columns_out(self) -> int:
        """Return how many columns `transform` returns, after `fit`."""
        raise not_fitted(type(self).__name__)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of `transform`: `kernelpca0`, …

        Parameters
        ----------
        input_features : names of the columns of X; only checked.
        """
        if input_features is not None:
            self.fitted_columns().require_same(tuple(input_features))
        word = type(self).__name__.lower()
        names = [f"{word}{i}" for i in range(self.n_columns_out())]
        return np.array(names, dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Let `transform` return frames, "pandas" or "polars", or arrays, "default"."""
        if transform not in (None, "default", "pandas", "polars"):
            raise InputError(
                f'transform must be "pandas", "polars" or "default"; got {transform!r}'
            )
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def _as_wanted(self, values: Any, X: Any) -> Any:
        """Return the values for X as `set_output` wants them."""
        kind = _output_kind(self.__dict__.get("_sklearn_output_config", {}))
        if kind not in ("pandas", "polars") or not isinstance(values, np.ndarray):
            return values
        names = self.get_feature_names_out().tolist()
        if kind == "polars":
            import polars

            return polars.DataFrame(values, schema=names, orient="row")
        import pandas

        index = X.index if isinstance(X, pandas.DataFrame | pandas.Series) else None
        return pandas.DataFrame(values, index=index, columns=names, copy=False)


def _output_kind(config: dict[str, str]) -> str:
    """Return what an estimator was told, or all of scikit-learn's were told."""
    sklearn = sys.modules.get("sklearn")
    everywhere = sklearn.get_config() if sklearn else {}
    return config.get("transform") or everywhere.get("transform_output", "default")


def is_precomputed(kernel: object) -> bool:
    return isinstance(kernel, str) and kernel == PRECOMPUTED


def _params_of(part: Any) -> dict[str, Any]:
    """Return the parameters of a part by name; none, if it has none."""
    if isinstance(part, SklearnProtocol):
        return part.get_params()
    return named_parameters(part) if isinstance(part, Kernel) else {}


def _changed(name: str, part: Any, changes: dict[str, Any]) -> Any:
    """Return a part with other parameters."""
    if isinstance(part, SklearnProtocol):
        return part.set_params(**changes)
    if isinstance(part, Kernel):
        return with_parameters(part, changes)
    raise InputError(
        f"{name} has no parameter {', '.join(sorted(changes))}; it is {part!r}"
    )
