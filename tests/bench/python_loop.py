"""The loop that paceline-bench compares with, in Python torch: MODEL THREADS SECONDS -> "samples_per_s 0" on stdout.

Batches of 64 from bytes in memory, a new order every epoch, forward, backward, one SGD step; convolution nets channels last.
"""
import os
import sys
import time

# What our programs and the launcher of nodes set (the kernels of OpenBLAS come with the environment of paceline-bench); glibc and OpenMP read it when a process starts.
if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python_loop.py MODEL THREADS SECONDS")
    settings = {"MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "1073741824", "MALLOC_TOP_PAD_": "33554432", "OMP_WAIT_POLICY": "passive",
                "OPENBLAS_THREAD_TIMEOUT": "4"}
    settings |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), sys.argv[2])
    if not settings.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})

import torch
from torch import nn
from torch.nn import functional

BATCH, SAMPLES, CLASSES, RATE = 64, 6400, 10, 0.01


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 20, 5), nn.Conv2d(20, 50, 5)
        self.dense1, self.dense2 = nn.Linear(800, 500), nn.Linear(500, CLASSES)

    def forward(self, x):
        x = functional.max_pool2d(self.conv1(x), 2).relu_()
        x = functional.max_pool2d(self.conv2(x), 2).relu_()
        return self.dense2(self.dense1(x.flatten(1)))


class Block(nn.Module):
    """Two 3x3 convolutions; where the shape changes the shortcut is a 1x1 convolution, or every second pixel and zeros."""

    def __init__(self, before, after, stride, projection):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(after), nn.BatchNorm2d(after)
        self.changes, self.stride, self.more = before != after or stride != 1, stride, after - before
        if self.changes and projection:
            self.shortcut = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))
        else:
            self.shortcut = None

    def straight(self, x):
        if not self.changes:
            return x
        if self.shortcut is not None:
            return self.shortcut(x)
        return functional.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.more))

    def forward(self, x):
        straight = self.straight(x)
        x = self.bn1(self.conv1(x)).relu_()
        return self.bn2(self.conv2(x)).add_(straight).relu_()


class ResNet(nn.Module):
    def __init__(self, stem, widths, depth, projection):
        super().__init__()
        self.stem = stem
        blocks, before = [], widths[0]
        for stage, width in enumerate(widths):
            for i in range(depth):
                blocks.append(Block(before, width, 2 if i == 0 and stage > 0 else 1, projection))
                before = width
        self.blocks = nn.Sequential(*blocks)
        self.dense = nn.Linear(before, CLASSES)

    def forward(self, x):
        return self.dense(self.blocks(self.stem(x)).mean((2, 3)))


def resnet18_v1():
    stem = nn.Sequential(nn.Conv2d(1, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
    return ResNet(stem, [64, 128, 256, 512], 2, True)


def resnet20():
    stem = nn.Sequential(nn.Conv2d(1, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True))
    return ResNet(stem, [16, 32, 64], 3, False)


MODELS = {
    "logistic": lambda: nn.Sequential(nn.Flatten(), nn.Linear(784, CLASSES)),
    "lenet": LeNet,
    "resnet18_v1": resnet18_v1,
    "resnet20": resnet20,
}


def batches(convolutional):
    pixels = torch.randint(0, 256, (SAMPLES, 1, 28, 28), dtype=torch.uint8)
    labels = torch.randint(0, CLASSES, (SAMPLES,))
    while True:
        for order in torch.randperm(SAMPLES).split(BATCH):
            images = pixels[order].float().div_(255)
            yield images.contiguous(memory_format=torch.channels_last) if convolutional else images, labels[order]


def main(name, threads, seconds):
    torch.set_num_threads(threads)
    torch.manual_seed(3)
    model = MODELS[name]().train()
    convolutional = name != "logistic"
    if convolutional:
        model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), RATE)
    source = batches(convolutional)

    def step():
        images, labels = next(source)
        optimizer.zero_grad(set_to_none=True)
        functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
        return len(labels)

    for _ in range(5):
        step()
    start, samples = time.monotonic(), 0
    while samples == 0 or time.monotonic() - start < seconds:
        samples += step()
    print(samples / (time.monotonic() - start), 0)


if __name__ == "__main__":
    if sys.argv[1] not in MODELS:
        sys.exit(f'"{sys.argv[1]}" is not known; have {", ".join(MODELS)}')
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
