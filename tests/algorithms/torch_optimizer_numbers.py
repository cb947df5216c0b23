#!/usr/bin/env python3
"""Prints torch_optimizer_numbers.h: where PyTorch's optimizers end on a small problem in float64 (Debian's python3-torch 1.13.1)."""
import torch

STEPS = 100
print("// Printed by tests/algorithms/torch_optimizer_numbers.py with torch", torch.__version__ + ".")
print("#pragma once\n\nnamespace paceline::tests {\n")
print("struct TorchCase {\n  const char* optimizer;\n  double rate, momentum, weightDecay;\n  bool nesterov;\n  double beta1, beta2;\n  double w[3];\n};\n")
print(f"inline constexpr int kTorchSteps = {STEPS};")
print("inline constexpr TorchCase kTorchCases[] = {")


def row(name, make, rate, momentum=0, decay=0, nesterov=False, betas=(0.9, 0.999)):
    w = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)
    optimizer = make([w])
    for step in range(STEPS):
        target = torch.tensor([0.25 * ((step * 7 + i * 3) % 5) for i in range(3)], dtype=torch.float64)
        scale = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
        w.grad = (scale * w - target).detach()
        optimizer.step()
    values = ", ".join(repr(x) for x in w.detach().tolist())
    print(f'    {{"{name}", {rate}, {momentum}, {decay}, {str(nesterov).lower()}, {betas[0]}, {betas[1]}, {{{values}}}}},')


for rate, momentum, decay, nesterov in [(0.1, 0, 0, False), (0.1, 0.9, 0, False), (0.05, 0.9, 0, True), (0.1, 0.5, 0.01, False), (0.02, 0.9, 0.1, True)]:
    row("sgd", lambda p: torch.optim.SGD(p, lr=rate, momentum=momentum, weight_decay=decay, nesterov=nesterov), rate, momentum, decay, nesterov)
for rate, decay, betas in [(0.01, 0, (0.9, 0.999)), (0.05, 0.1, (0.8, 0.95))]:
    row("adam", lambda p: torch.optim.Adam(p, lr=rate, weight_decay=decay, betas=betas), rate, 0, decay, False, betas)
    row("adamw", lambda p: torch.optim.AdamW(p, lr=rate, weight_decay=decay, betas=betas), rate, 0, decay, False, betas)
for rate, decay in [(0.1, 0), (0.5, 0.01)]:
    row("adagrad", lambda p: torch.optim.Adagrad(p, lr=rate, weight_decay=decay), rate, 0, decay)
print("};\n\n}  // namespace paceline::tests")
