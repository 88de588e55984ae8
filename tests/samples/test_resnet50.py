# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sample `resnet50` gives the reference output of the `onnx` package; its ensembles prepare images as numpy does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.samples.conftest import REPOSITORY, Sample
from workbench.errors import WorkbenchError

SIDE, SHORTER_SIDE = 224, 256
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])


def test_the_reference_output_of_the_package_comes_back(sample: Sample) -> None:
    onnx = pytest.importorskip("onnx")
    reference = Path(onnx.__file__).parent / "backend/test/data/light/light_resnet50_output_0.pb"
    expected = onnx.numpy_helper.to_array(onnx.TensorProto.FromString(reference.read_bytes()))
    count = 3 * SIDE * SIDE
    pixels = (np.arange(count).reshape(1, 3, SIDE, SIDE) / count).astype(np.float32)
    found = sample("resnet50").infer({"gpu_0/data_0": pixels})["gpu_0/softmax_1"]
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-7)


def taps(size: int, scaled: int) -> tuple[Any, Any, Any]:
    """Both source pixels of each target pixel in the middle, and the weight of the second."""
    target = np.arange(SIDE) + (scaled - SIDE) // 2
    at = np.clip((target + 0.5) * size / scaled - 0.5, 0, size - 1)
    first = at.astype(int)
    return first, np.minimum(first + 1, size - 1), at - first


def prepared(image: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The image as the model reads it, by numpy."""
    height, width, _ = image.shape
    shorter = min(height, width)
    rows, columns = (taps(size, round(size * SHORTER_SIDE / shorter)) for size in (height, width))
    pixels = image.astype(np.float64)
    across = pixels[:, columns[0]] * (1 - columns[2])[:, None] + pixels[:, columns[1]] * columns[2][:, None]
    scaled = across[rows[0]] * (1 - rows[2])[:, None, None] + across[rows[1]] * rows[2][:, None, None]
    normalized = (scaled / 255 - MEAN) / DEVIATION
    return normalized.transpose(2, 0, 1)[np.newaxis]


def image(height: int, width: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(height).integers(0, 256, (height, width, 3), np.uint8)


PREPARING = pytest.mark.parametrize("preparing", ["resnet50_pixels", "resnet50_pixels_python"])


@PREPARING
@pytest.mark.parametrize("size", [(224, 224), (256, 256), (300, 417), (480, 300), (31, 40), (1, 1)])
def test_pixels_are_prepared_as_numpy_does(sample: Sample, preparing: str, size: tuple[int, int]) -> None:
    found = sample(preparing).infer({"IMAGE": image(*size)})["PIXELS"]
    np.testing.assert_allclose(found, prepared(image(*size)), atol=2e-3)


@PREPARING
def test_an_image_without_pixels_is_refused(sample: Sample, preparing: str) -> None:
    with pytest.raises(WorkbenchError, match=r"IMAGE is \[0, 4, 3\]; height, width and 3 channels"):
        sample(preparing).infer({"IMAGE": np.zeros((0, 4, 3), np.uint8)})


@pytest.mark.parametrize("name", ["resnet50_images", "resnet50_images_python"])
def test_images_become_classes(sample: Sample, name: str) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    found = sample(name).infer({"IMAGE": image(300, 417)})["CLASSES"]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    path = REPOSITORY / "resnet50/1/model.onnx"
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {"gpu_0/data_0": prepared(image(300, 417)).astype(np.float32)})
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-6)
