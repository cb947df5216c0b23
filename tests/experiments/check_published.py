#!/usr/bin/env python3
"""Every suite of experiments/published runs, shrunken, and what is safe of its order holds.

    check_published.py PACELINE SOURCE_FOLDER

Shrunken: one seed, a few rounds, made pictures; where gradients of ResNet-18 would take minutes a smaller model on links narrowed as much. Runs
are simulated, so the same figures come on every machine. Exit 1 and a line for each thing that does not hold.
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

PACELINE, SOURCE = sys.argv[1], sys.argv[2]
FOLDER = os.path.join(SOURCE, "experiments", "published")
wrong = []


def hold(condition, message):
    if not condition:
        wrong.append(message)


def shrunken(name, suite):
    """One seed and a few rounds of every configuration."""
    suite = copy.deepcopy(suite)
    base, vary = suite["base"], suite["vary"]
    vary.pop("/seed", None)
    rounds = 64 if name.startswith("ecl_") else 20 if "timing only" in base["tags"] else 3
    if "timing only" not in base["tags"]:
        base["dataset"] = {"id": "synthetic", "params": {"train_count": 3200, "test_count": 100}}
        base.pop("learning_rate_schedule", None)
    for setting in vary["algorithm"]:
        for pointer in [p for p in setting["set"] if p.startswith(("/stop", "/learning_rate_schedule")) or p == "/evaluate/every_rounds"]:
            del setting["set"][pointer]
    base["stop"] = {"rounds": rounds}
    base["evaluate"]["every_rounds"] = rounds if base["evaluate"]["every_rounds"] else 0
    if name.startswith("ps_pytorch"):  # pictures take no time here, but making them does
        base["dataset"]["params"]["train_count"] //= 16
        for place, key in [(base, "batch_size")] + [(s["set"], "/batch_size") for s in vary["algorithm"]]:
            place[key] //= 16
    if name.startswith("dgs_speedup"):
        base["model"] = {"id": "lenet5"}
        for nodes in [base["nodes"]] + [s["set"]["/nodes"] for s in vary["algorithm"]]:
            for node in nodes:
                if "bandwidth_mbps" in node.get("emulate", {}):
                    node["emulate"]["bandwidth_mbps"] *= 61706 / 11681832
    return suite


def results(name, suite):
    """Name of the configuration -> its run as `paceline summary` tells it."""
    with tempfile.TemporaryDirectory() as folder:
        document, store = os.path.join(folder, "suite.json"), os.path.join(folder, "runs.db")
        json.dump(suite, open(document, "w"))
        flags = ["--no-learning"] if "timing only" in suite["base"]["tags"] else []
        ran = subprocess.run([PACELINE, "simulate", document, "--store", store, "--in-process", "--quiet", *flags], capture_output=True, text=True)
        hold(ran.returncode == 0, f"{name}: a run failed: {ran.stderr.strip()[-300:]}")
        listed = json.loads(subprocess.run([PACELINE, "runs", "--store", store, "--json"], capture_output=True, text=True, check=True).stdout)["runs"]
        told = subprocess.run([PACELINE, "summary", *[r["id"] for r in listed], "--store", store], capture_output=True, text=True, check=True).stdout
        return {run["name"].removeprefix(suite["base"]["name"]).strip(): run for run in json.loads(told)["runs"] if run["state"] == "finished"}


def falling(suite, runs, measure, *names, by=0.0):
    """The configurations' values fall in this order, each by more than `by`."""
    values = [runs[n][measure] if n in runs else None for n in names]
    hold(None not in values and all(a > b + by for a, b in zip(values, values[1:])), f"{suite}: {measure} does not fall in the order {', '.join(names)}: {values}")


def check_document(name, suite):
    published = suite["base"].get("published", {})
    hold(published.get("source") and published.get("values"), f"{name}: no published values with their source")
    hold(suite["base"].get("notes"), f"{name}: no notes")
    random = "timing only" not in suite["base"]["tags"] and "Nothing that decides the times is random" not in suite["base"]["notes"]
    hold(not random or len(suite["vary"].get("/seed", [])) >= 3, f"{name}: fewer than three seeds where learning is random")
    place = "esync_table1" if name.startswith("esync_table1") else name
    pages = "".join(open(path).read() for path in glob.glob(os.path.join(FOLDER, "*.md")))
    hold(f"<!-- {place} -->" in pages, f"{name}: no page of experiments/published has a place for its table")
    hold(re.search(rf"^{name} +\d+$", open(os.path.join(SOURCE, "scripts", "experiments")).read(), re.M), f"{name}: scripts/experiments does not know what it costs")


def check_order(name, runs):
    speed, bytes_ = "throughput_samples_per_s", "bytes_sent_per_round"
    if name == "esync_timing":
        falling(name, runs, speed, "ESync", "ASGD", "SSGD")
        falling(name, runs, "traffic_bytes_per_s", "ASGD", "ESync")
    elif name.startswith("esync_table1"):
        falling(name, runs, speed, "ESync", "SSGD")
    elif name.startswith("esync_"):
        for rate in ("0.032", "0.1", "0.01"):
            falling(name, runs, speed, *[f"{method}, rate {rate}" for method in ("ESync", "ASGD", "SSGD")])
    elif name.startswith("dgs_speedup"):
        falling(name, runs, speed, "DGS, 16 workers", "DGS, 8 workers", "DGS, 4 workers", "DGS, 2 workers", "DGS, 1 worker")
        falling(name, runs, speed, "DGS, 16 workers", "ASGD, 16 workers")
        falling(name, runs, bytes_, "ASGD, 16 workers", "DGS, 16 workers")
    elif name == "ps_pytorch_resnet18":
        falling(name, runs, speed, "16 workers", "32 workers", "8 workers", "4 workers", "2 workers", "one worker alone")
    elif name == "ps_pytorch_lenet":
        falling(name, runs, speed, "16 workers", "32 workers", "8 workers", "4 workers", "2 workers", "one worker alone")
    elif name.startswith("grouping"):
        falling(name, runs, speed, "ASGD, rate 0.1", "SSGD, rate 0.1")
    elif name == "dgs_accuracy":
        for method in ("DGS 1 %", "DGC 1 %", "gradient dropping 1 %"):
            falling(name, runs, bytes_, "ASGD, rate 0.1", f"{method}, rate 0.1")
    elif name.startswith("ecl_"):
        falling(name, runs, bytes_, "PDMM-ISVR as published", "PDMM-ISVR, common step")
        falling(name, runs, "loss_last", "D-SGD as published", "D-SGD, Metropolis", by=0.1)
        falling(name, runs, "loss_last", "D-SGD as published", "PDMM-ISVR as published", by=0.1)
    else:
        wrong.append(f"{name}: no order is checked; check_published.py must know one")


chosen = sys.argv[3:]
paths = [p for p in sorted(glob.glob(os.path.join(FOLDER, "*.json"))) if not chosen or os.path.basename(p)[:-5] in chosen]
hold(paths, "experiments/published has no suites")
for path in paths:
    name, suite = os.path.basename(path)[:-5], json.load(open(path))
    check_document(name, suite)
    small = shrunken(name, suite)
    runs = results(name, small)
    hold(len(runs) == len(small["vary"]["algorithm"]), f"{name}: {len(runs)} of {len(small['vary']['algorithm'])} configurations finished")
    check_order(name, runs)
    print(f"{name}: {len(runs)} configurations")
for message in wrong:
    print(message)
sys.exit(1 if wrong else 0)
