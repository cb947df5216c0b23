#!/usr/bin/env python3
"""Prints torch_sgd_numbers.h: where torch.optim.SGD ends on a small problem in float64 (Debian's python3-torch 1.13.1)."""
import torch

STEPS = 40
print("// Printed by tests/algorithms/torch_sgd_numbers.py with torch", torch.__version__ + ".")
print("#pragma once\n\nnamespace paceline {\n")
print("struct TorchSgdCase {\n  double rate, momentum, weightDecay;\n  bool nesterov;\n  double w[3];\n};\n")
print(f"inline constexpr int kTorchSgdSteps = {STEPS};")
print("inline constexpr TorchSgdCase kTorchSgdCases[] = {")
for rate, momentum, decay, nesterov in [(0.1, 0, 0, False), (0.1, 0.9, 0, False), (0.05, 0.9, 0, True), (0.1, 0.5, 0.01, False), (0.02, 0.9, 0.1, True)]:
    w = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)
    sgd = torch.optim.SGD([w], lr=rate, momentum=momentum, weight_decay=decay, nesterov=nesterov)
    for step in range(STEPS):
        target = torch.tensor([0.25 * ((step * 7 + i * 3) % 5) for i in range(3)], dtype=torch.float64)
        scale = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
        w.grad = (scale * w - target).detach()
        sgd.step()
    values = ", ".join(repr(x) for x in w.detach().tolist())
    print(f"    {{{rate}, {momentum}, {decay}, {str(nesterov).lower()}, {{{values}}}}},")
print("};\n\n}  // namespace paceline")
