# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model of a server that is reached over the network: ours, the real one, or any that speaks the protocol."""

from __future__ import annotations

from typing import Final

from workbench.config import ModelConfig
from workbench.errors import WorkbenchError
from workbench.load.grpc_service import GrpcService
from workbench.load.http_service import HttpService
from workbench.load.statistics import Totals
from workbench.load.url import Address, parse_address


class RemoteModel:
    """A model of a server elsewhere, to be driven: `wb.drive(wb.RemoteModel("http://host:8000", "m"), rate=100)`.

    Args:
        url: `http://host:port` or `grpc://host:port`.
        name: the model.
        version: its version; "" leaves it to the server.
        token: sent as a bearer token, where the server wants one.
        timeout_s: how long answers about the model, and to samples that are tried, may take.
    """

    def __init__(self, url: str, name: str, *, version: str = "", token: str = "", timeout_s: float = 10.0) -> None:
        self.address: Final[Address] = parse_address(url)
        self.name: Final = name
        self.version: Final = version
        self.token: Final = token
        self.timeout_s: Final = timeout_s

    def config(self) -> ModelConfig:
        """The configuration that runs.

        Raises:
            NotFoundError, UnavailableError: there is no such model, or no server.
        """
        return self._service().config(self.name, self.version)

    def statistics(self) -> Totals:
        """What the server counted, over all versions that it tells of; nothing where it has no statistics."""
        try:
            return self._service().statistics(self.name, self.version)
        except WorkbenchError:
            return Totals()

    def _service(self) -> HttpService | GrpcService:
        service = GrpcService if self.address.protocol == "grpc" else HttpService
        return service(self.address, token=self.token, timeout_s=self.timeout_s)

    def __repr__(self) -> str:
        return f"<RemoteModel {self}>"

    def __str__(self) -> str:
        return f"{self.name} at {self.address}"
