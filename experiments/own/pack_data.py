#!/usr/bin/env python3
"""Packs a small regression-like picture problem as arrays: rings.npz has x_train, y_train, x_test, y_test.

    python3 pack_data.py FOLDER

Two noisy rings and a blob in a plane, drawn as 1x28x28 pictures: three classes that a network must see the shape of. Needs numpy.
"""
import pathlib
import sys

import numpy as np


def pictures(count: int, rng: np.random.Generator) -> "tuple[np.ndarray, np.ndarray]":
    y = rng.integers(0, 3, count)
    centre = rng.uniform(10, 18, (count, 2, 1, 1))
    radius = np.where(y == 0, rng.uniform(3, 5, count), np.where(y == 1, rng.uniform(6, 9, count), 0))[:, None, None]
    rows, columns = np.mgrid[0:28, 0:28]
    distance = np.hypot(rows - centre[:, 0], columns - centre[:, 1])
    x = np.exp(-((distance - radius) ** 2) / 2) + rng.normal(0, 0.35, (count, 28, 28))
    return x[:, None].astype(np.float32), y.astype(np.int64)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    x_train, y_train = pictures(3000, rng)
    x_test, y_test = pictures(1000, rng)
    np.savez(folder / "rings.npz", x_train=x_train, y_train=y_train, x_test=x_test, y_test=y_test)
    print(folder / "rings.npz")
