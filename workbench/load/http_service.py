# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a server over HTTP before and after a run; the run itself is native."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Final
from urllib.parse import quote

from workbench.config import ModelConfig, from_json
from workbench.errors import UnavailableError, error_for
from workbench.load.statistics import Totals
from workbench.load.url import Address

_CODES: Final = {400: "INVALID_ARG", 404: "NOT_FOUND", 409: "ALREADY_EXISTS", 501: "UNSUPPORTED", 503: "UNAVAILABLE"}


def model_path(name: str, version: str) -> str:
    """Of a model; without a version the server chooses."""
    return f"/v2/models/{quote(name)}" + (f"/versions/{quote(version)}" if version else "")


class HttpService:
    """A server over HTTP.

    Args:
        address: where it is.
        token: a bearer token; "" for none.
        timeout_s: of each answer.
    """

    def __init__(self, address: Address, *, token: str, timeout_s: float) -> None:
        self._address = address
        self._token = token
        self._timeout_s = timeout_s

    def config(self, name: str, version: str) -> ModelConfig:
        """The configuration of a model."""
        text = self.request("GET", f"{model_path(name, version)}/config", b"", {}).decode()
        return from_json(text, name=f"{name} at {self._address}")

    def statistics(self, name: str, version: str) -> Totals:
        """What it counted of a model."""
        return Totals.of_protocol(json.loads(self.request("GET", f"{model_path(name, version)}/stats", b"", {})))

    def request(self, method: str, path: str, body: bytes, fields: dict[str, str]) -> bytes:
        """One request; the answer's body.

        Raises:
            WorkbenchError: of the status that the server answered, or UNAVAILABLE where nobody did.
        """
        connection = HTTPConnection(self._address.host, self._address.port, timeout=self._timeout_s)
        token = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        try:
            connection.request(method, path, body, fields | token)
            reply = connection.getresponse()
            status, answer = reply.status, reply.read()
        except (OSError, HTTPException) as error:
            raise UnavailableError(f"{self._address} does not answer: {error}") from error
        finally:
            connection.close()
        if status >= 300:
            raise error_for(_CODES.get(status, "INTERNAL"), f"{self._address}: {_said(answer)}")
        return answer


def _said(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return answer.decode(errors="replace")[:200] or "no reason given"
