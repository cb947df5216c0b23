#!/usr/bin/env python3
"""Ours against the real programs: what TensorBoard, MLflow, Weights & Biases and pandas read and write, beside what Paceline does. Prints each number of theirs beside ours.

    interop.py FOLDER_OF_PROGRAMS        exit 77: none of the packages is installed (pip install tensorboard mlflow wandb pandas)
"""
import csv
import importlib.util
import io
import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile

PROGRAMS = sys.argv[1]
START = 1_700_000_000.0
TOOLS = [tool for tool in ("tensorboard", "mlflow", "wandb", "pandas") if importlib.util.find_spec(tool)]
if not TOOLS:
    print("none of tensorboard, mlflow, wandb and pandas is installed")
    sys.exit(77)

os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", MLFLOW_ALLOW_FILE_STORE="true", GIT_PYTHON_REFRESH="quiet")
work = tempfile.mkdtemp(prefix="paceline-interop-", dir=os.environ.get("PACELINE_TEST_FOLDER"))
STORE = os.path.join(work, "store.db")
problems = []


def paceline(*words):
    done = subprocess.run([os.path.join(PROGRAMS, "paceline"), *words, "--store", STORE], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"paceline {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def table(run, records):
    return list(csv.DictReader(io.StringIO(paceline("export", run, "--format", records, "-o", "-"))))


def same(what, theirs, ours):
    equal = len(theirs) == len(ours) and all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(theirs, ours))
    print(f"{'same' if equal else 'DIFFERS'}  {what}: theirs {theirs[:3]}..., ours {ours[:3]}..., {len(theirs)} and {len(ours)}")
    if not equal:
        problems.append(what)


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def imported(path, *words):
    return [run["id"] for run in json.loads(paceline("import", path, *words, "--json"))["runs"]]


def series(run, name):
    return [float(row["value"]) for row in table(run, "metrics") if row["name"] == name]


DOCUMENT = {
    "paceline": 1, "name": "interop", "seed": 3, "batch_size": 16,
    "algorithm": {"id": "asgd", "params": {"learning_rate": 0.05}}, "model": {"id": "logistic"}, "dataset": {"id": "synthetic"}, "partition": {"id": "iid"},
    "nodes": [{"id": "s0", "role": "server"}] + [{"id": f"w{i}", "role": "worker", "emulate": {"step_s": 0.01 * (i + 1)}} for i in range(3)],
    "evaluate": {"every_rounds": 5}, "stop": {"rounds": 40},
}


def simulate(**changes):
    path = os.path.join(work, "run.json")
    with open(path, "w") as file:
        json.dump({**DOCUMENT, **changes}, file)
    paceline("simulate", path)
    return json.loads(paceline("runs", "--json"))["runs"][0]["id"]


def tensorboard_reads(run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.hparams import plugin_data_pb2

    folder = os.path.join(work, "tb")
    paceline("export", run, "--format", "tensorboard", "-o", folder)
    (name,) = os.listdir(folder)
    whole = EventAccumulator(os.path.join(folder, name), size_guidance={"scalars": 0, "histograms": 0})
    whole.Reload()
    evaluations = table(run, "evaluations")
    same("TensorBoard's evaluation/accuracy", [each.value for each in whole.Scalars("evaluation/accuracy")], [single(float(row["accuracy"])) for row in evaluations])
    same("TensorBoard's steps", [each.step for each in whole.Scalars("evaluation/accuracy")], [int(row["round"]) for row in evaluations])
    rounds = table(run, "rounds")
    for worker in ("w0", "w1", "w2"):
        part = EventAccumulator(os.path.join(folder, name, worker), size_guidance={"scalars": 0})
        part.Reload()
        own = [row for row in rounds if row["node"] == worker]
        for tag, column in (("train/loss", "loss"), ("time/wait_s", "wait_s"), ("traffic/bytes_sent", "bytes_sent"), ("train/staleness", "staleness")):
            same(f"TensorBoard's {tag} of {worker}", [each.value for each in part.Scalars(tag)], [single(float(row[column])) for row in own])
    histograms = whole.Histograms("staleness")
    same("TensorBoard's histogram of staleness: rounds", [float(sum(each.histogram_value.bucket)) for each in histograms][:0] + [sum(sum(each.histogram_value.bucket) for each in histograms)], [float(len(rounds))])
    same("TensorBoard's histogram of staleness: sum", [sum(each.histogram_value.sum for each in histograms)], [sum(float(row["staleness"]) for row in rounds)])
    start = plugin_data_pb2.HParamsPluginData.FromString(whole.SummaryMetadata("_hparams_/session_start_info").plugin_data.content).session_start_info
    same("TensorBoard's hparams", [start.hparams["batch_size"].number_value, start.hparams["algorithm/params/learning_rate"].number_value], [16.0, 0.05])
    group = json.loads(paceline("show", run, "--json"))["run"]["group_hash"]
    if start.group_name != group or start.hparams["algorithm/id"].string_value != "asgd":
        problems.append(f"hparams: group {start.group_name}, ours {group}")
    end = plugin_data_pb2.HParamsPluginData.FromString(whole.SummaryMetadata("_hparams_/session_end_info").plugin_data.content).session_end_info
    if end.status != 1:
        problems.append(f"hparams: status {end.status}")


def tensorboard_writes():
    from tensorboard.compat.proto import event_pb2, summary_pb2
    from tensorboard.compat.tensorflow_stub import dtypes
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
    from tensorboard.util import tensor_util

    folder = os.path.join(work, "theirs")
    writer = EventFileWriter(folder)
    values = {"val/acc": [0.1 * i for i in range(1, 9)], "train/loss": [2.0 / i for i in range(1, 9)]}
    for step in range(1, 9):
        simple = summary_pb2.Summary.Value(tag="train/loss", simple_value=values["train/loss"][step - 1])
        tensor = summary_pb2.Summary.Value(tag="val/acc", tensor=tensor_util.make_tensor_proto(values["val/acc"][step - 1], dtype=dtypes.float32))
        for value in (simple, tensor):
            writer.add_event(event_pb2.Event(wall_time=START + step, step=step, summary=summary_pb2.Summary(value=[value])))
    writer.close()
    (run,) = imported(folder)
    same("TensorBoard's scalars, imported", [single(v) for v in values["train/loss"]], series(run, "train/loss"))
    same("TensorBoard's tensors, imported as accuracy", [single(v) for v in values["val/acc"]], [float(row["accuracy"]) for row in table(run, "evaluations")])


def mlflow_writes():
    import mlflow

    for uri, path in ((f"sqlite:///{work}/mlflow.db", f"{work}/mlflow.db"), (f"file://{work}/mlruns", f"{work}/mlruns")):
        mlflow.set_tracking_uri(uri)
        mlflow.set_experiment("interop")
        with mlflow.start_run(run_name="theirs") as run:
            mlflow.log_params({"seed": 11, "lr": 0.1})
            for step in range(1, 8):
                mlflow.log_metric("train/loss", 2.0 / step, step=step)
                mlflow.log_metric("val_accuracy", step / 10, step=step)
        history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "train/loss")
        (ours,) = imported(path)
        same(f"MLflow's metrics of {os.path.basename(path)}", [each.value for each in history], series(ours, "train/loss"))
        same(f"MLflow's accuracy of {os.path.basename(path)}", [step / 10 for step in range(1, 8)], [float(row["accuracy"]) for row in table(ours, "evaluations")])
        if json.loads(paceline("show", ours, "--json"))["run"]["seed"] != 11:
            problems.append("MLflow's seed")


def wandb_writes():
    import wandb

    run = wandb.init(project="interop", name="theirs", config={"seed": 5}, dir=work, settings=wandb.Settings(x_disable_stats=True, console="off"))
    for i in range(1, 301):
        run.log({"loss": 2.0 / i, "test/acc": i / 400})
    run.finish()
    wandb.teardown()
    (ours,) = imported(os.path.join(work, "wandb"))
    same("Weights & Biases' history", [2.0 / i for i in range(1, 301)], series(ours, "loss"))
    same("Weights & Biases' accuracy", [i / 400 for i in range(1, 301)], [float(row["accuracy"]) for row in table(ours, "evaluations")])


def pandas_reads(run):
    import pandas

    with sqlite3.connect(f"file:{STORE}?mode=ro", uri=True) as store:
        rounds = pandas.read_sql("SELECT * FROM rounds_named", store)
        evaluations = pandas.read_sql("SELECT * FROM evaluations_named", store)
        runs = pandas.read_sql("SELECT * FROM runs_flat", store).set_index("run")
    summary = json.loads(paceline("summary", run))["runs"][0]
    mine = rounds[rounds.run == run]
    same("pandas' rounds_named: samples", [float(mine.samples.sum())], [float(summary["samples"])])
    same("pandas' rounds_named: bytes sent", [float(mine.bytes_sent.sum())], [float(summary["bytes_sent"])])
    same("pandas' evaluations_named: accuracy", list(evaluations[evaluations.run == run].accuracy), [float(row["accuracy"]) for row in table(run, "evaluations")])
    flat = runs.loc[run]
    same("pandas' runs_flat", [flat.best_accuracy, flat.last_accuracy, flat.window_s], [summary["accuracy_best"], summary["accuracy_last"], summary["wall_s"]])


own = simulate()
if "tensorboard" in TOOLS:
    tensorboard_reads(own)
    tensorboard_writes()
if "mlflow" in TOOLS:
    mlflow_writes()
if "wandb" in TOOLS:
    wandb_writes()
if "pandas" in TOOLS:
    pandas_reads(own)
print("not installed, so not checked:", ", ".join(sorted({"tensorboard", "mlflow", "wandb", "pandas"} - set(TOOLS))) or "nothing")
if problems:
    print("differs:", "; ".join(problems))
    sys.exit(1)
