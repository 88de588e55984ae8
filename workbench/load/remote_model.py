# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model of a server that is reached over the network: ours, the real one, or any that speaks the protocol."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Final

from workbench.config import ModelConfig, from_json
from workbench.errors import UnavailableError, WorkbenchError, error_for
from workbench.load.statistics import Totals
from workbench.load.url import Address, parse_address

_CODES: Final = {400: "INVALID_ARG", 404: "NOT_FOUND", 409: "ALREADY_EXISTS", 501: "UNSUPPORTED", 503: "UNAVAILABLE"}


class RemoteModel:
    """A model of a server elsewhere, to be driven: `wb.drive(wb.RemoteModel("http://host:8000", "m"), rate=100)`.

    Args:
        url: `http://host:port`.
        name: the model.
        version: its version; "" leaves it to the server.
        token: sent as a bearer token, where the server wants one.
        timeout_s: how long answers about the model may take.
    """

    def __init__(self, url: str, name: str, *, version: str = "", token: str = "", timeout_s: float = 10.0) -> None:
        self.address: Final[Address] = parse_address(url)
        self.name: Final = name
        self.version: Final = version
        self.token: Final = token
        self._timeout_s = timeout_s

    @property
    def path(self) -> str:
        """Of the model, over HTTP."""
        version = f"/versions/{self.version}" if self.version else ""
        return f"/v2/models/{self.name}{version}"

    def config(self) -> ModelConfig:
        """The configuration that runs.

        Raises:
            NotFoundError, UnavailableError: there is no such model, or no server.
        """
        return from_json(self.get("/config"), name=str(self))

    def statistics(self) -> Totals:
        """What the server counted, over all versions that it tells of; nothing where it has no statistics."""
        try:
            return Totals.of_protocol(json.loads(self.get("/stats")))
        except WorkbenchError:
            return Totals()

    def get(self, topic: str) -> str:
        """The text under the model's path."""
        return self.request("GET", topic, b"", {}).decode()

    def request(self, method: str, topic: str, body: bytes, fields: dict[str, str]) -> bytes:
        """One request over HTTP under the model's path; the answer's body.

        Raises:
            WorkbenchError: of the status that the server answered, or UNAVAILABLE where nobody did.
        """
        connection = HTTPConnection(self.address.host, self.address.port, timeout=self._timeout_s)
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            connection.request(method, self.path + topic, body, fields | token)
            reply = connection.getresponse()
            status, answer = reply.status, reply.read()
        except (OSError, HTTPException) as error:
            raise UnavailableError(f"{self.address} does not answer: {error}") from error
        finally:
            connection.close()
        if status >= 300:
            raise error_for(_CODES.get(status, "INTERNAL"), f"{self}: {_said(answer)}")
        return answer

    def __repr__(self) -> str:
        return f"<RemoteModel {self}>"

    def __str__(self) -> str:
        return f"{self.name} at {self.address}"


def _said(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return answer.decode(errors="replace")[:200] or "no reason given"
