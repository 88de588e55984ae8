# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Ensembles come with the models of their steps, follow them, and are gone before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from workbench.errors import LoadError, WorkbenchError
from workbench.repository.composition import Composition, load_order
from workbench.repository.configuration import GivenConfig, Override
from workbench.repository.ensemble import step_models
from workbench.repository.lanes import Lanes
from workbench.repository.loader import LoadedVersion
from workbench.repository.source import ModelFolder
from workbench.repository.status import ModelStates

_DRAIN_S: Final = 5.0
"""How long a model's unload waits for ensembles to finish what they took, which may need the model still."""


class EnsembleLoads:
    """What happens to other models when one is loaded or unloaded.

    Args:
        composition: the ensembles that are wanted.
        states: of all models.
        lanes: where `load`, `revise` and `withdraw` run.
        read: the folder and the configuration of a model, or of what is given instead.
        load: loads one model.
        revise: lets an ensemble follow its models.
        withdraw: lets a model take no more requests, for a reason; returns its versions.

    Threads: any that is no lane.
    """

    def __init__(
        self,
        composition: Composition,
        states: ModelStates,
        lanes: Lanes,
        *,
        read: Callable[[str, Override | None], tuple[ModelFolder, GivenConfig]],
        load: Callable[[str, Override | None], None],
        revise: Callable[[str], None],
        withdraw: Callable[[str, str], tuple[LoadedVersion, ...]],
    ) -> None:
        self._composition = composition
        self._states = states
        self._lanes = lanes
        self._read = read
        self._load = load
        self._revise = revise
        self._withdraw = withdraw

    def steps_of(self, name: str, override: Override | None = None) -> tuple[str, ...]:
        """The models of a model's steps; what its load will refuse is no ensemble here."""
        try:
            return step_models(self._read(name, override)[1].config)
        except (WorkbenchError, OSError):
            return ()

    def load_steps(self, name: str, override: Override | None) -> None:
        """Load what an ensemble is composed of and does not serve yet.

        Raises:
            LoadError: one of the models can not be loaded, or the ensemble is composed of itself.
        """
        try:
            for model in load_order(name, lambda one: self.steps_of(one, override if one == name else None)):
                if not self._states.serving(model):
                    self._load_step(name, model)
        except LoadError as exc:
            # Wanted all the same: it gets ready with the model that it lacks.
            self._composition.want(name, *self._read(name, override))
            self._states.refused(name, str(exc))
            raise

    def revise_users(self, name: str) -> None:
        """Let the ensembles that run on a model follow what became of it."""
        for ensemble in self._composition.users(name):
            self._lanes.submit(ensemble, self._revise, ensemble).result()

    def suspend_users(self, name: str) -> None:
        """Ensembles take no more requests before a model of theirs goes; what they took is finished first."""
        for ensemble in reversed(self._composition.users(name)):
            reason = f"its step's model {name!r} was unloaded"
            for version in self._lanes.submit(ensemble, self._withdraw, ensemble, reason).result():
                version.model.drain(_DRAIN_S)

    def _load_step(self, name: str, model: str) -> None:
        try:
            self._lanes.submit(model, self._load, model, None).result()
        except WorkbenchError as exc:
            message = f"ensemble {name!r} needs model {model!r}, which can not be loaded: {exc}"
            raise LoadError(message) from exc
