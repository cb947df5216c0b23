#!/usr/bin/env python3
"""Writes three models as TorchScript files that Paceline trains: cnn.pt, resnet.pt (batch normalisation), transformer.pt (characters).

    python3 export_models.py FOLDER

A model may have methods loss(output, target) and metrics(output, target); both are exported. Without them classes are trained with
cross-entropy, numbers with squared error. Needs torch (Debian: python3-torch).
"""
import pathlib
import sys
from typing import Dict

import torch
from torch import nn
import torch.nn.functional as F


class Cnn(nn.Module):
    """LeNet 20-50-500, as Paceline's own `lenet`."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.dense1 = nn.Linear(50 * 4 * 4, 500)
        self.dense2 = nn.Linear(500, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.conv2(x), 2))
        return self.dense2(self.dense1(x.flatten(1)))


class Block(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))))


class ResNet(nn.Module):
    """A small residual network for 1x28x28 images, with a loss and metrics of its own."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 16, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        self.blocks = nn.Sequential(Block(16), Block(16))
        self.head = nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.blocks(F.relu(self.norm(self.stem(x))))
        return self.head(x.mean(dim=[2, 3]))

    @torch.jit.export
    def loss(self, output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(output, target, label_smoothing=0.1)

    @torch.jit.export
    def metrics(self, output: torch.Tensor, target: torch.Tensor) -> Dict[str, torch.Tensor]:
        best = output.topk(3, dim=1).indices
        return {
            "top1": best[:, 0].eq(target).float().mean(),
            "top3": best.eq(target.unsqueeze(1)).any(dim=1).float().mean(),
        }


class Transformer(nn.Module):
    """Two layers of causal attention over characters: whole numbers in, scores of the next one out at every place."""

    def __init__(self, symbols: int = 128, places: int = 64, width: int = 64, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.symbol = nn.Embedding(symbols, width)
        self.place = nn.Parameter(0.02 * torch.randn(places, width))
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(4)])
        self.attention = nn.ModuleList([nn.Linear(width, 3 * width) for _ in range(2)])
        self.mixing = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.wide = nn.ModuleList([nn.Linear(width, 4 * width) for _ in range(2)])
        self.narrow = nn.ModuleList([nn.Linear(4 * width, width) for _ in range(2)])
        self.head = nn.Linear(width, symbols)

    def attend(self, x: torch.Tensor, qkv: torch.Tensor) -> torch.Tensor:
        batch, places, width = x.size(0), x.size(1), x.size(2)
        parts = qkv.reshape(batch, places, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = parts[0] @ parts[1].transpose(-2, -1) / (width // self.heads) ** 0.5
        later = torch.ones(places, places, dtype=torch.bool).triu(1)
        return (scores.masked_fill(later, -1e9).softmax(-1) @ parts[2]).transpose(1, 2).reshape(batch, places, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.symbol(x) + self.place[: x.size(1)]
        for i, (attention, mixing, wide, narrow) in enumerate(zip(self.attention, self.mixing, self.wide, self.narrow)):
            normed = h
            for j, norm in enumerate(self.norms):
                if j == 2 * i:
                    normed = norm(h)
            h = h + mixing(self.attend(normed, attention(normed)))
            for j, norm in enumerate(self.norms):
                if j == 2 * i + 1:
                    normed = norm(h)
            h = h + narrow(F.gelu(wide(normed)))
        return self.head(h)


MODELS = {"cnn": Cnn, "resnet": ResNet, "transformer": Transformer}

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in MODELS.items():
        torch.manual_seed(1)
        torch.jit.script(model()).save(str(folder / f"{name}.pt"))
        print(folder / f"{name}.pt")
