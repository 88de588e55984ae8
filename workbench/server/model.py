# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One model of a server, as its users call it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Several
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.config import ModelSpec, write_config
from workbench.errors import InvalidArgumentError, UnsupportedError
from workbench.repository import Call, Engine, Response
from workbench.server.explanation import Explanation, explain
from workbench.server.parts import ServerParts
from workbench.server.reconfigure import changed
from workbench.server.reply import Reply, refusal_for, reply_of
from workbench.server.request import Place, Tensors, input_tensors
from workbench.server.sequence import Sequence
from workbench.server.statistics import ModelStatistics, statistics_of

if TYPE_CHECKING:
    from workbench.repository import LoadedVersion

_SIGNAL_CHECK_S: Final = 0.05
"""Between two of these a waiting call lets Python look for signals, so that the stop button works."""
_MICROSECONDS: Final = 1e6
_NO_PARAMETERS: Final[Mapping[str, Any]] = {}
_STANDALONE: Final = Sequence(0)


class Model:
    """A model by name: always the version that is ready when it is called, also after reloads. Threads: any.

    Args:
        parts: the server's floor below.
        name: the model.
        version: its version; -1 is the highest that is ready.
    """

    def __init__(self, parts: ServerParts, name: str, *, version: int = -1) -> None:
        self.name: Final = name
        self.version: Final = version
        self._parts = parts
        self._submit = parts.engine.submit
        self._infer_arrays = parts.engine.infer_arrays

    def infer(
        self,
        inputs: Tensors,
        *,
        request_id: str = "",
        priority: int = 0,
        timeout_s: float | None = None,
        sequence: Sequence | None = None,
        parameters: Mapping[str, Any] | None = None,
        outputs: Several[str] | None = None,
        outputs_on: Place = "host",
    ) -> Reply:
        """Run one request and wait for its response. The stop button interrupts the wait and cancels the request.

        Args:
            inputs: arrays by input name, with the batch dimension where the model batches; contiguous ones are
                borrowed, not copied. Plain numbers, texts and lists become what the model declares.
            request_id: finds the request in `explain`; free text.
            priority: 1 is the highest; 0 the model's default.
            timeout_s: seconds that the request may wait in the queue, where the model allows that.
            sequence: the sequence that the request belongs to.
            parameters: handed on to the backend.
            outputs: names of the outputs wanted; all where None.
            outputs_on: "host" gives numpy arrays; "device" leaves outputs of a GPU there, as DeviceArrays.

        Returns:
            The response, a mapping from output names to arrays.

        Raises:
            InvalidArgumentError: an input is missing, unknown, or of another type or shape than declared.
            NotFoundError: the model is not loaded.
            UnavailableError: a queue is full, or the timeout passed.
            UnsupportedError: the model sent several responses; `stream` takes them.
            WorkbenchError: what the backend answered.
        """
        if (
            not (request_id or priority or timeout_s or sequence or parameters or outputs or outputs_on != "host")
            and type(inputs) is dict
            and (reply := self._reply_at_once(inputs)) is not None
        ):
            return reply
        given = (inputs, request_id, priority, timeout_s, sequence, parameters, outputs, outputs_on)
        call = self._send(*given, queue=False)
        try:
            while not call.wait(_SIGNAL_CHECK_S):
                pass
        except BaseException:
            call.cancel()
            raise
        return self._reply(call, request_id)

    async def infer_async(
        self,
        inputs: Tensors,
        *,
        request_id: str = "",
        priority: int = 0,
        timeout_s: float | None = None,
        sequence: Sequence | None = None,
        parameters: Mapping[str, Any] | None = None,
        outputs: Several[str] | None = None,
        outputs_on: Place = "host",
    ) -> Reply:
        """As `infer`, awaited, with its arguments and errors; cancelling the task cancels the request."""
        call = await self._parts.completions.submit(
            lambda: self._send(
                inputs, request_id, priority, timeout_s, sequence, parameters, outputs, outputs_on, queue=True
            )
        )
        return self._reply(call, request_id)

    def stream(
        self,
        inputs: Tensors,
        *,
        request_id: str = "",
        priority: int = 0,
        timeout_s: float | None = None,
        sequence: Sequence | None = None,
        parameters: Mapping[str, Any] | None = None,
        outputs: Several[str] | None = None,
        outputs_on: Place = "host",
    ) -> Iterator[Reply]:
        """As `infer`, for models that send any number of responses; leaving the iterator cancels the request.

        The request is sent by the call, not by the first `next`; the arguments and errors are those of `infer`.
        """
        given = (inputs, request_id, priority, timeout_s, sequence, parameters, outputs, outputs_on)
        return self._replies(self._send(*given, queue=False), request_id)

    @property
    def engine(self) -> Engine:
        """The core's engine that serves it: where the load generator sends."""
        return self._parts.engine

    @property
    def spec(self) -> ModelSpec:
        """The configuration that runs, as plain values."""
        return self._running().spec

    @property
    def number(self) -> int:
        """Number of the version that runs in the server's events; a reload changes it."""
        return self._running().model.number

    @property
    def library(self) -> Path:
        """The shared object of the backend that runs it.

        Raises:
            UnsupportedError: it is an ensemble, which has no backend.
        """
        library = self._running().library
        if library is None:
            raise UnsupportedError(f"{self.name!r} is an ensemble: it has no backend, the models of its steps have")
        return library

    @property
    def config(self) -> str:
        """The configuration that runs, as text."""
        return write_config(self._running().config)

    @property
    def steps(self) -> Mapping[str, Model]:
        """The models that an ensemble's steps run on, by name; none of any other model."""
        steps = self._running().config.ensemble_scheduling.step
        return {step.model_name: Model(self._parts, step.model_name, version=step.model_version) for step in steps}

    def statistics(self) -> ModelStatistics:
        """Counts and times since this version was loaded."""
        running = self._running()
        return statistics_of(self.name, running.version, running.model.statistics())

    def queue_length(self) -> int:
        """Requests that wait now."""
        return self._running().model.queue_length()

    def queue_lengths(self) -> dict[int, int]:
        """Requests that wait now by priority level, of levels that were ever used; empty without priorities."""
        return self._running().model.queue_lengths()

    def reconfigure(self, **fields: Any) -> None:
        """Change fields of the configuration by their own names; no request is lost.

        `max_queue_delay_microseconds` and `preferred_batch_size` change under way. For any other, such as
        `max_batch_size`, `count` of the instance groups or a whole `instance_group=[...]`, a model with the new
        configuration is made ready beside this one, which serves until then.

        Raises:
            InvalidArgumentError: the configuration has no such field.
            ConfigError, LoadError: the change is not legal; the model runs on as it was.
        """
        self._parts.repository.reconfigure(self.name, lambda config: changed(config, fields))

    def explain(self, request_id: str | int) -> Explanation:
        """Where the time of one request went and why its batch left when it did.

        Args:
            request_id: the id given to `infer`, or `serial` of the reply.
        """
        return explain(self._parts, request_id)

    def __repr__(self) -> str:
        versions = ", ".join(f"v{loaded.version}" for loaded in self._parts.repository.serving(self.name))
        return f"<Model {self.name} {f'READY {versions}' if versions else 'not ready'}>"

    def _running(self) -> LoadedVersion:
        return self._parts.repository.version(self.name, self.version)

    def _send(
        self,
        inputs: Tensors,
        request_id: str,
        priority: int,
        timeout_s: float | None,
        sequence: Sequence | None,
        parameters: Mapping[str, Any] | None,
        outputs: Several[str] | None,
        outputs_on: Place,
        *,
        queue: bool,
    ) -> Call:
        if isinstance(outputs, str):
            message = f"outputs are a list of names: write outputs=[{outputs!r}]"
            raise InvalidArgumentError(message)
        place = sequence or _STANDALONE
        tensors, copies = input_tensors(inputs, self._running)
        try:
            return self._submit(
                self.name,
                self.version,
                tensors,
                outputs=outputs or (),
                request_id=request_id,
                priority=priority,
                timeout_us=int(timeout_s * _MICROSECONDS) if timeout_s else 0,
                correlation_id=place.id,
                flags=place.flags,
                parameters=dict(parameters) if parameters else _NO_PARAMETERS,
                queue=queue,
                device_outputs=outputs_on == "device",
                copies=copies,
            )
        except Exception as exc:
            raise refusal_for(exc, self._running) from exc

    def _reply_at_once(self, inputs: dict[str, Any]) -> Reply | None:
        try:
            answer = self._infer_arrays(self.name, self.version, inputs)
        except Exception as exc:
            raise refusal_for(exc, self._running) from exc
        if answer is None:
            return None
        if answer[0] is not None:
            return Reply(answer[0], {}, "", answer[2])
        return self._reply_of(answer[2], answer[1], "")

    def _reply(self, call: Call, request_id: str) -> Reply:
        if request_id:
            self._parts.recent.note(request_id, call.serial)
        return self._reply_of(call, call.take(0.0), request_id)

    def _reply_of(self, call: Call, response: Response | None, request_id: str) -> Reply:
        if response is None or not response.is_final:
            response = self._only_of_several(call, response)
        return reply_of(response, request_id, call.serial, copy=self._parts.engine.copy_to_host)

    def _only_of_several(self, call: Call, first: Response | None) -> Response:
        responses = [first] if first is not None else []
        while not call.finished and (response := call.take(0.0)) is not None:
            responses.append(response)
        full = [response for response in responses if response.outputs or response.error]
        if len(full) == 1:
            return full[0]
        message = f"model {self.name!r} is decoupled: it sent {len(full)} responses; take them by model.stream({{...}})"
        raise UnsupportedError(message)

    def _replies(self, call: Call, request_id: str) -> Iterator[Reply]:
        try:
            while not call.finished:
                response = call.take(_SIGNAL_CHECK_S)
                # The last response of a decoupled model often says only that it is the last.
                if response is not None and (response.outputs or response.error or not response.is_final):
                    yield reply_of(response, request_id, call.serial, copy=self._parts.engine.copy_to_host)
        finally:
            if not call.finished:
                call.cancel()
            elif request_id:
                self._parts.recent.note(request_id, call.serial)
