# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Two layers: what backend `jax` compiles once for each size of batch."""

from __future__ import annotations

import jax.numpy as jnp


def apply(params, inputs):
    """The class of each row by probability."""
    hidden = jnp.maximum(inputs["X"] @ params["hidden"]["kernel"] + params["hidden"]["bias"], 0)
    scores = hidden @ params["scores"]["kernel"] + params["scores"]["bias"]
    shares = jnp.exp(scores - scores.max(axis=-1, keepdims=True))
    return {"PROBABILITIES": shares / shares.sum(axis=-1, keepdims=True)}
