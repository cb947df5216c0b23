#!/usr/bin/env python3
"""Loads weights that Paceline trained into the Python model they came from, and evaluates it.

    python3 evaluate.py MODEL WEIGHTS.npz DATA.npz      MODEL: a class of export_models.py, by its file's name (cnn, resnet)
"""
import sys

import numpy as np
import torch

from export_models import MODELS

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in MODELS:
        sys.exit(__doc__)
    model = MODELS[sys.argv[1]]()
    weights = {name: torch.from_numpy(array) for name, array in np.load(sys.argv[2]).items()}
    missing = [name for name in model.state_dict() if name not in weights and not name.endswith("num_batches_tracked")]
    if missing:
        sys.exit(f"{sys.argv[2]} has no {', '.join(missing)}")
    model.load_state_dict(weights, strict=False)  # num_batches_tracked is a counter that nobody reads
    model.eval()
    data = np.load(sys.argv[3])
    with torch.no_grad():
        correct = (model(torch.from_numpy(data["x_test"])).argmax(1) == torch.from_numpy(data["y_test"])).sum().item()
    print(f"{correct} of {len(data['y_test'])} right: accuracy {correct / len(data['y_test']):.4f}")
