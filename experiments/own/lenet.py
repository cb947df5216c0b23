"""LeNet 20-50-500 in PyTorch, as Paceline's own `lenet`. Needs torch (Debian: python3-torch; any 1.13 or 2.x)."""
import torch
import torch.nn.functional as F
from torch import nn

from paceline_objective import serve_torch


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.dense1 = nn.Linear(50 * 4 * 4, 500)
        self.dense2 = nn.Linear(500, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.conv2(x), 2))
        return self.dense2(self.dense1(x.flatten(1)))


torch.manual_seed(1)
serve_torch(Cnn())
