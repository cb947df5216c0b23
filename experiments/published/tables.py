#!/usr/bin/env python3
"""Tables of the published comparisons that `paceline summary` does not make; Markdown on standard output.

    tables.py tuned SUITE.json SUMMARY.json MEASURE     each method at the best of the suite's rates, beside the paper's value; who is ahead of whom
    tables.py table1 SUITES FOLDER                      ESync's Table 1 of SUITES/esync_table1_*.json and FOLDER/*.summary.json
    tables.py smoothed SUMMARY.json                     times to 0.8 of the accuracies, and of the line that ESync's drawer makes of them
    tables.py page FOLDER PAGE.md ...                   puts FOLDER/SUITE.md between each pair of the pages' marks

SUMMARY.json is what `paceline summary RUNS --format json` wrote. MEASURE: time (to the target), last or best (accuracy).
"""
import glob
import json
import math
import os
import re
import statistics
import sys

TARGET, EVERY, WINDOW, START = 0.8, 5, 10, 0.1  # of ESync's drawer: every fifth evaluation, mean of ten, 0.1 before the first
MEASURES = {"time": ("time_to_target_s", "s to 0.8", 1), "last": ("accuracy_last", "Last accuracy (%)", 100), "best": ("accuracy_best", "Best accuracy (%)", 100)}
TITLES = {"esync": "ESync", "ssgd": "SSGD", "asgd": "ASGD", "dc_asgd": "DC-ASGD", "standalone": "sequential SGD", "grouping_sgd": "Grouping SGD", "ssp": "SSP",
          "dgs": "DGS", "dgc": "DGC", "gradient_dropping": "gradient dropping"}


def configurations(summary):
    """Runs by configuration: name without its seed -> runs, in the order in which they come. One that failed has diverged (scripts/experiments)."""
    found = {}
    for run in summary["runs"]:
        if run["state"] in ("finished", "failed"):
            found.setdefault(re.sub(r" seed \d+", "", run["name"]), []).append(run)
    return found


def digits(scale):
    return 2 if scale == 100 else 1


def spread(values, runs, scale):
    if not values:
        return "not reached"
    text = f"{statistics.mean(values) * scale:.{digits(scale)}f}"
    if len(values) > 1:
        text += f" ± {statistics.stdev(values) * scale:.{digits(scale)}f}"
    return text if len(values) == runs else f"{text} ({len(values)} of {runs})"


def student(probability, freedom):
    """Two-sided quantile of Student's t, by bisection of its integral (Simpson's rule)."""
    factor = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def inside(limit):
        steps = 400
        height = [factor * (1 + (limit * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
        return 2 * limit / steps / 3 * (height[0] + height[-1] + 4 * sum(height[1:-1:2]) + 2 * sum(height[2:-1:2]))

    low, high = 0.0, 200.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < probability else (low, middle)
    return high


def interval(a, b):
    """95 % interval of mean(a) - mean(b), by Welch; None: no spread is known."""
    if len(a) < 2 or len(b) < 2:
        return None
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    difference = statistics.mean(a) - statistics.mean(b)
    if va + vb == 0:
        return difference, difference
    freedom = (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1))
    reach = student(0.95, freedom) * math.sqrt(va + vb)
    return difference - reach, difference + reach


def numbers(runs, key):
    return [run[key] for run in runs if run["state"] == "finished" and run[key] is not None]


def published(document, measure, algorithm):
    for value in document["base"]["published"]["values"]:
        if value["measure"] == measure and value.get("algorithm") == algorithm and not value.get("over"):
            return value
    return None


def verdict(value, mean):
    band = value.get("band", {})
    reach = band.get("absolute", band.get("relative", 0) * value["value"])
    if abs(mean - value["value"]) <= reach + 1e-12:
        return "yes"
    return f"no: {abs(mean / value['value'] - 1) * 100:.1f} % {'above' if mean > value['value'] else 'below'}"


def best_rates(summary, key, smaller):
    """algorithm -> (configuration, runs) of its best rate: reached by most seeds, then the best mean."""
    best = {}
    for name, runs in configurations(summary).items():
        values = numbers(runs, key)
        if not values:
            rank = (0, statistics.mean(numbers(runs, "accuracy_last") or [0.0]))
        else:
            rank = (len(values) / len(runs), -statistics.mean(values) if smaller else statistics.mean(values))
        algorithm = runs[0]["algorithm"]
        if algorithm not in best or rank > best[algorithm][0]:
            best[algorithm] = (rank, name, runs)
    return {algorithm: (name, runs) for algorithm, (_, name, runs) in best.items()}


def tuned(suite, summary, which):
    document = json.load(open(suite))
    key, title, scale = MEASURES[which]
    best = best_rates(summary, key, which == "time")
    print(f"| Method, best rate of the grid | Runs | {title}, published | Ours | Ours / published | Inside the band |")
    print("| --- | --- | --- | --- | --- | --- |")
    order = sorted(best, key=lambda a: statistics.mean(numbers(best[a][1], key)) if numbers(best[a][1], key) else math.inf, reverse=which != "time")
    for algorithm in order:
        name, runs = best[algorithm]
        values, paper = numbers(runs, key), published(document, key, algorithm)
        rate = name.rsplit("rate ", 1)[-1]
        cells = ["not published", spread(values, len(runs), scale), "not published", "not published"]
        if paper:
            cells[0] = f"{paper['value'] * scale:g}"
            cells[2:] = [f"{statistics.mean(values) / paper['value']:.3g}", verdict(paper, statistics.mean(values))] if values else ["not reached", "no: not reached"]
        print(f"| {TITLES.get(algorithm, algorithm)}, {rate} | {len(runs)} | " + " | ".join(cells) + " |")
    for paper in document["base"]["published"]["values"] if which == "time" else []:
        ours, over = (best.get(paper.get(key)) for key in ("algorithm", "over"))
        if ours and over:
            factor = quotient(numbers(over[1], key), numbers(ours[1], key), len(ours[1]))
            cells = ["not reached by all seeds of both" if len(ours[1]) == len(over[1]) else "not all seeds have run"] * 3 if factor is None else [f"{factor:.2f}", f"{factor / paper['value']:.2f}", verdict(paper, factor)]
            reach = paper["band"].get("absolute", paper["band"].get("relative", 0) * paper["value"])
            print(f"| {TITLES[paper['algorithm']]} over {TITLES[paper['over']]} | {len(ours[1])} | speed-up {paper['value']:g} ± {reach:g} | " + " | ".join(cells) + " |")
    print()
    for a, b in zip(order, order[1:]):
        first, second = numbers(best[a][1], key), numbers(best[b][1], key)
        between = interval(first, second)
        pair = f"* {TITLES.get(a, a)} before {TITLES.get(b, b)}: "
        if not first or not second:
            print(pair + "the second does not reach it" if first else pair + "neither reaches it")
        elif between is None:
            print(pair + "fewer than two runs of one of them have a value, so no spread is known and no order is claimed")
        else:
            told = "the intervals say so" if between[0] * between[1] > 0 else "**not told apart**"
            print(pair + f"{told}, by {(between[0] + between[1]) / 2 * scale:.{digits(scale)}f} (95 % interval {between[0] * scale:.{digits(scale)}f} to {between[1] * scale:.{digits(scale)}f})")


def drawn(points):
    """[(seconds, accuracy)] of every evaluation -> the line as drawn; points before the first count as START."""
    line = [(0.0, START)] + points[::EVERY]
    padded = [START] * (WINDOW - 1) + [accuracy for _, accuracy in line]
    return [(line[i][0], sum(padded[i:i + WINDOW]) / WINDOW) for i in range(len(line))]


def crossing(line):
    """Seconds at which the line reaches the target, between two of its points; None: nowhere."""
    for (t0, a0), (t1, a1) in zip(line, line[1:]):
        if a1 >= TARGET:
            return t1 if a0 >= TARGET else t0 + (t1 - t0) * (TARGET - a0) / (a1 - a0)
    return None


def times(runs):
    """Seconds to the target of each run that reaches it: by its accuracies, and by the line as drawn."""
    found = {"raw": [], "drawn": []}
    for run in runs:
        points = [(p["t_s"], p["accuracy"]) for p in run["curve"] if p["round"] > 0 and p["accuracy"] is not None]
        for kind, at in (("raw", next((t for t, accuracy in points if accuracy >= TARGET), None)), ("drawn", crossing(drawn(points)))):
            if at is not None:
                found[kind].append(at)
    return found


def quotient(above, below, runs):
    """Of two means, where all seeds of both got there."""
    return statistics.mean(above) / statistics.mean(below) if len(above) == len(below) == runs else None


def smoothed(summary):
    rows = {name: (runs, times(runs)) for name, runs in configurations(summary).items() if runs[0]["algorithm"] != "standalone"}
    print(f"| Configuration | Runs | s to {TARGET} | s to {TARGET}, smoothed as drawn | Speed-up over SSGD | smoothed |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (runs, reached) in rows.items():
        rate = re.search(r"rate [\d.]+", name).group()
        base = next((r for n, (s, r) in rows.items() if s[0]["algorithm"] == "ssgd" and rate in n.split(", ")), {"raw": [], "drawn": []})
        told = [quotient(base[kind], reached[kind], len(runs)) for kind in ("raw", "drawn")]
        print(f"| {name.split('. ', 1)[-1]} | {len(runs)} | {spread(reached['raw'], len(runs), 1)} | {spread(reached['drawn'], len(runs), 1)} | "
              + " | ".join("not reached by all seeds of both" if x is None else f"{x:.1f}" for x in told) + " |")


def table1(suites, folder):
    print("| Model | Link for the stand-in (Mbit/s) | Runs of each | ESync, s to 0.8 | SSGD, s to 0.8 | Speed-up, published | Ours, smoothed as drawn | Ours / published | Ours, by the accuracies |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for path in glob.glob(f"{suites}/esync_table1_*.json"):
        document = json.load(open(path))["base"]
        try:
            summary = json.load(open(f"{folder}/{os.path.basename(path)[:-5]}.summary.json"))
        except FileNotFoundError:
            continue
        runs = {name.rsplit(" ", 1)[-1]: of for name, of in configurations(summary).items()}
        if len({len(of) for of in runs.values()}) != 1 or len(runs) != 2:
            continue  # not all seeds of both yet
        count, paper = len(runs["ESync"]), document["published"]["values"][0]["value"]
        esync, ssgd = times(runs["ESync"]), times(runs["SSGD"])
        raw, line = (quotient(ssgd[kind], esync[kind], count) for kind in ("raw", "drawn"))
        cells = [document["name"].split(", ")[1], f"{document['nodes'][0]['emulate']['bandwidth_mbps']:g}", str(count)]
        cells += [f"{spread(t['raw'], count, 1)}; smoothed {spread(t['drawn'], count, 1)}" for t in (esync, ssgd)]
        cells += [f"{paper:g}", "not reached by all" if line is None else f"{line:.1f}", "not reached by all" if line is None else f"{line / paper:.2f}",
                  "not reached by all" if raw is None else f"{raw:.0f}"]
        rows.append((-paper, cells))
    for _, cells in sorted(rows):
        print("| " + " | ".join(cells) + " |")


def page(path, folder):
    """Between <!-- SUITE --> and <!-- /SUITE --> comes FOLDER/SUITE.md, where there is one."""
    text = open(path).read()

    def table(match):
        try:
            body = open(f"{folder}/{match.group(1)}.md").read().strip()
        except FileNotFoundError:
            return match.group()
        return f"<!-- {match.group(1)} -->\n\n{body}\n\n<!-- /{match.group(1)} -->"

    open(path, "w").write(re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", table, text, flags=re.S))


if sys.argv[1] == "tuned":
    tuned(sys.argv[2], json.load(open(sys.argv[3])), sys.argv[4])
elif sys.argv[1] == "smoothed":
    smoothed(json.load(open(sys.argv[2])))
elif sys.argv[1] == "table1":
    table1(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "page":
    for path in sys.argv[3:]:
        page(path, sys.argv[2])
else:
    sys.exit(__doc__)
