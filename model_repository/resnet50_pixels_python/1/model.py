# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What `resnet50_pixels` does in C++, by numpy: shorter side to 256 pixels, the middle cut out, normalized."""

import numpy as np
import triton_python_backend_utils as pb_utils

SIDE, SHORTER_SIDE = 224, 256
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)


def taps(size, scaled):
    """Both source pixels that each target pixel of the middle lies between, and the weight of the second."""
    target = np.arange(SIDE) + (scaled - SIDE) // 2
    at = np.clip((target + 0.5) * (size / scaled) - 0.5, 0, size - 1)
    first = at.astype(np.int64)
    return first, np.minimum(first + 1, size - 1), (at - first).astype(np.float32)


def pixels(image):
    """Of one image: float32, channels first."""
    height, width, _ = image.shape
    shorter = min(height, width)
    rows, columns = (taps(size, int(size * SHORTER_SIDE / shorter + 0.5)) for size in (height, width))
    upper, lower = (image[index].astype(np.float32) for index in rows[:2])
    scaled = upper + (lower - upper) * rows[2][:, None, None]
    left, right = scaled[:, columns[0]], scaled[:, columns[1]]
    scaled = left + (right - left) * columns[2][:, None]
    return np.ascontiguousarray(((scaled / 255 - MEAN) / DEVIATION).transpose(2, 0, 1))[np.newaxis]


class TritonPythonModel:
    """As the Python backend calls it."""

    def execute(self, requests):
        """One response for each request."""
        return [self.answer(request) for request in requests]

    @staticmethod
    def answer(request):
        """The pixels of a request's image; an error where it has none."""
        image = pb_utils.get_input_tensor_by_name(request, "IMAGE").as_numpy()
        if image.size == 0:
            message = f"IMAGE is {list(image.shape)}; height, width and 3 channels are right"
            error = pb_utils.TritonError(message, pb_utils.TritonError.INVALID_ARG)
            return pb_utils.InferenceResponse(error=error)
        return pb_utils.InferenceResponse([pb_utils.Tensor("PIXELS", pixels(image))])
