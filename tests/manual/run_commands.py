#!/usr/bin/python3
"""Does what the manual says: run_commands.py PROGRAMS MANUAL [--look | CHAPTER...]

Runs the commands of every ```console block, chapter by chapter, in a fresh folder with a fresh home: a line "$ COMMAND", which lines "> ..." go on with;
"$ ! COMMAND" must fail. Other lines of a block are output and not compared. Then looks whether chapters are in order: one title, at most 400 lines, links
that lead somewhere, a place for everything that `paceline catalog` and `paceline schema` name. Prints what is wrong as FILE:LINE: WHAT; exit code 1.
With names of chapters it runs the commands of those alone, with --look none. No network, no processes left behind."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COMMAND_S = 240  # of one command
END_S = 20  # for recorders and supervisors, which end by themselves when they are idle
MOST_LINES = 400

# Chapters without commands, and why.
NO_COMMANDS = {
    "index.md": "a list of chapters",
    "02-window.md": "the window is used with the mouse and the keyboard; tests/gui does that",
    "16-measured.md": "measurements take a quiet machine and minutes each",
}

# Where each kind of name has its place: a heading of that text, or a table's row that begins with it in backticks.
CATALOGUE = {
    "algorithms": "10-methods.md", "aggregations": "10-methods.md", "schedules": "10-methods.md", "topologies": "10-methods.md",
    "figures": "06-figures.md", "models": "04-models-and-data.md", "datasets": "04-models-and-data.md", "partitions": "04-models-and-data.md",
}
FIELDS = "09-fields.md"
TERMINAL = "13-terminal.md"

problems = []


def wrong(file, line, what):
    problems.append(f"{file.name}:{line}: {what}")


class Chapter:
    def __init__(self, path):
        self.path, self.lines = path, path.read_text(encoding="utf-8").split("\n")
        self.commands, self.blocks, self.headings, self.rows, self.links = [], 0, [], set(), []
        fence = None
        for number, line in enumerate(self.lines, 1):
            if line.startswith("```"):
                if fence is None:
                    fence = line[3:].strip() or "?"
                    self.blocks += fence == "console"
                    if fence not in ("console", "text", "json"):
                        wrong(path, number, f'a block is console, text or json; this is "{fence}"')
                else:
                    fence = None
            elif fence == "console":
                if line.startswith("$ "):
                    self.commands.append([number, line[2:]])
                elif line.startswith("> ") or line == ">":
                    if self.commands:
                        self.commands[-1][1] += "\n" + line[2:]
            elif fence is None:
                self.text(number, line)
        if fence is not None:
            wrong(path, len(self.lines), "a block has no end")
        self.slugs = {slug(text) for _, _, text in self.headings}
        self.places = {text for _, _, text in self.headings} | self.rows

    def text(self, number, line):
        heading = re.match(r"(#+) +(.*)", line)
        if heading:
            self.headings.append((number, len(heading[1]), heading[2].strip().strip("`")))
        row = re.match(r"\| *((?:`[^`]+`(?:, )?)+) *\|", line)
        if row:
            self.rows.update(re.findall(r"`([^`]+)`", row[1]))
        prose = re.sub(r"`[^`]*`", "", line)
        self.links += [(number, target) for target in re.findall(r"\]\(([^)]+)\)", prose)]
        if re.search(r"<[a-zA-Z/!]", prose):
            wrong(self.path, number, "HTML is not shown by the window")


def slug(heading):
    """As GitHub makes them."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def look(chapters):
    for name, chapter in chapters.items():
        titles = [number for number, level, _ in chapter.headings if level == 1]
        if titles != [1]:
            wrong(chapter.path, titles[1] if len(titles) > 1 else 1, "a chapter has one title, in its first line")
        if len(chapter.lines) - 1 > MOST_LINES:
            wrong(chapter.path, MOST_LINES, f"{len(chapter.lines) - 1} lines; at most {MOST_LINES}")
        if not chapter.blocks and name not in NO_COMMANDS:
            wrong(chapter.path, 1, "no console block, and no reason in NO_COMMANDS of run_commands.py")
        if chapter.blocks and name in NO_COMMANDS:
            wrong(chapter.path, 1, "has a console block; take it out of NO_COMMANDS of run_commands.py")
        for number, target in chapter.links:
            if re.match(r"https?://", target):
                continue
            file, _, anchor = target.partition("#")
            other = chapters.get(file) if file else chapter
            if other is None:
                wrong(chapter.path, number, f'the link "{target}" leads to no chapter')
            elif anchor and anchor not in other.slugs:
                wrong(chapter.path, number, f'the link "{target}" leads to no heading')
        if name != "index.md" and "index.md" in chapters and not any(target.partition("#")[0] == name for _, target in chapters["index.md"].links):
            wrong(chapters["index.md"].path, 1, f"does not link to {name}")


def pointers(schema, at=""):
    """The places of a document: what is between them and the catalogue's parameters."""
    for key, value in schema.get("properties", {}).items():
        place = f"{at}/{key}"
        yield place
        if key == "params":
            continue
        yield from pointers(value, place)
        items = value.get("items")
        if isinstance(items, dict):
            yield from pointers(items, place + "/*")
        if isinstance(value.get("additionalProperties"), dict):
            yield from pointers(value["additionalProperties"], place + "/*")


def cover(chapters, programs):
    def asked(*words):
        return subprocess.run([programs / "paceline", *words], stdout=subprocess.PIPE, check=True, timeout=COMMAND_S, text=True).stdout

    def wanted(name, chapter, what):
        if chapter not in chapters:
            problems.append(f"{chapter}:1: is missing; {what} has its place there")
        elif name not in chapters[chapter].places:
            wrong(chapters[chapter].path, 1, f"{what} has no place: a heading, or a row that begins with `{name}`")

    catalogue = json.loads(asked("catalog", "--json"))
    for kind, chapter in CATALOGUE.items():
        for entry in catalogue[kind]:
            wanted(entry["id"], chapter, f'"{entry["id"]}" of {kind}')
    schema = json.loads(asked("schema"))
    for definition in ("document", "suite"):
        for place in pointers(schema["definitions"][definition]):
            wanted(place, FIELDS, f"field {place}")
    for place in schema["definitions"]["document"]["properties"]:
        if FIELDS in chapters and not any(text == "/" + place for _, _, text in chapters[FIELDS].headings):
            wrong(chapters[FIELDS].path, 1, f'field group /{place} has no heading "/{place}"')
    for command in re.findall(r"^  ([a-z]+) {2,}\S", asked("--help").split("Subcommands:")[1], re.M):
        wanted("paceline " + command, TERMINAL, f'command "{command}"')


def ours(home):
    """Processes with this home, but not this one."""
    mark, found = b"HOME=" + os.fsencode(home) + b"\0", []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark in (entry / "environ").read_bytes() + b"\0":
                    found.append((int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()))
            except OSError:
                pass  # another user's, or it has ended
    return found


def run(chapter, programs):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="plm-", dir="/tmp"))  # short: a socket's path has at most 107 bytes
    home, work = folder / "home", folder / "work"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PACELINE_", "XDG_")) and key not in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_AUTH_SOCK")}
    environment |= {"HOME": str(home), "PATH": f"{programs}:{environment.get('PATH', '/usr/bin:/bin')}", "TMPDIR": str(folder / "tmp"), "XDG_RUNTIME_DIR": str(folder / "run"),
                    "QT_QPA_PLATFORM": "offscreen", "PACELINE_AGENT_IDLE_S": "0.2", "PACELINE_RECORDER_IDLE_S": "0.5", "PACELINE_SSH_CONFIG": "/dev/null"}
    for each in (home, work, folder / "tmp", folder / "run"):
        each.mkdir(mode=0o700)
    try:
        for number, command in chapter.commands:
            fails = command.startswith("! ")
            said = folder / "said"  # not a pipe, which a process that the command leaves behind would hold open
            with said.open("wb") as into:
                try:
                    code = subprocess.run(["bash", "-c", command[2:] if fails else command], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=into, stderr=subprocess.STDOUT, timeout=COMMAND_S).returncode
                except subprocess.TimeoutExpired:
                    code = f"none within {COMMAND_S} s"
            said = said.read_text(encoding="utf-8", errors="replace")
            if (code == 0) == fails:
                wrong(chapter.path, number, f"{command}\n    exit code {code}" + (", but it must fail" if fails else "") + "\n    " + said.strip().replace("\n", "\n    "))
                break  # what follows builds on it
        until = time.monotonic() + END_S
        while ours(home) and time.monotonic() < until:
            time.sleep(0.05)
        for process, line in ours(home):
            wrong(chapter.path, 1, f"leaves a process behind: {process} {line}")
            os.kill(process, signal.SIGKILL)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if len(sys.argv) < 3:
        print(__doc__.split("\n")[0], file=sys.stderr)
        return 2
    programs, manual = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    chapters = {path.name: Chapter(path) for path in sorted(manual.glob("*.md"))}
    looks = sys.argv[3:] == ["--look"]
    only = [] if looks else [name if name.endswith(".md") else name + ".md" for name in sys.argv[3:]]
    for name in only:
        if name not in chapters:
            print(f"run_commands.py: there is no chapter {name} in {manual}", file=sys.stderr)
            return 2
    if not only:
        look(chapters)
        cover(chapters, programs)
    ran = 0
    for name, chapter in chapters.items():
        if chapter.commands and not looks and (not only or name in only):
            begun = time.monotonic()
            run(chapter, programs)
            ran += len(chapter.commands)
            print(f"{name}: {len(chapter.commands)} commands, {time.monotonic() - begun:.1f} s", flush=True)
    for each in problems:
        print(each)
    print(f"{ran} commands of {len(only) or len(chapters)} chapters, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
