#include <algorithm>

#include "app/report/numbers.h"
#include "app/report/report.h"
#include "engine/core/base/error.h"

namespace paceline {
extern const char* const kSourceCommit;  // of the generated source; "": not known
}

namespace paceline::report {
namespace {

constexpr const char* kBegin = R"(# How a report is written

A report is a text file. It begins with a head, in which runs get short names:

```
---
title: Who waits for the slow worker
author: A. Person
target: 80 %
run esync: 01m8qh2tk, 01m8qh3vz
run ssgd: demo ssgd seed 1
---
```

Behind `run NAME:` stand ids, beginnings of ids, or names of runs; several with commas are seeds of one configuration, and their numbers become mean ± standard deviation. `target` is the accuracy of all times to a target.

## Text

Markdown: `# heading` to `####`, paragraphs, `- item`, `1. item`, `**bold**`, `*emphasis*`, `` `code` ``, `[words](https://address)`, and lines of code between ```` ``` ````. A backslash takes the next sign as it is: `\{{`.

## Live numbers

`{{esync.best_accuracy}}` is read from the store. Behind the run stands

- a number of it (below);
- a number of one of its nodes: `{{esync.w2.wait}}`;
- a setting of its document: `{{esync./batch_size}}`.

Numbers can be calculated with `+ - * / ( )`, and written with other decimals and another unit behind them: `{{ssgd.time_to_target / esync.time_to_target : 2}}`, `{{esync.best_accuracy - ssgd.best_accuracy : 1 %}}`, `{{esync.wall_time / 60 : 0 min}}`. A unit is a word: only `%` multiplies, by 100; `none` leaves it out. What a run did not reach is written as "not reached". `{{target}}` and `{{made}}` are the target and the time of making. A run without a short name is written as its id, or in quotes: `{{"demo ssgd seed 1".rounds}}`.

## Figures, tables and lanes

Each on a line of its own. Runs behind it are optional: without them it is of all in the head.

- `{{figure accuracy esync ssgd x=rounds smooth=5}}`: any figure of `paceline catalog`. Options: `x` time, rounds, epochs, samples or bytes; `log` x, y or xy; `smooth` points; `style` published; `seeds` apart; `over` a run (of a speed-up); `standalone` an accuracy; `cut` time, rounds, samples or bytes; `height` mm; `caption` "words"; `notes` no.
- `{{results}}`: the results table with what it tells. Options: `cut`, `columns` all, `caption`, `notes` no.
- `{{differences esync ssgd}}`: the settings in which the documents differ.
- `{{lanes esync from=2 to=6}}`: who waits for whom, whole or between two times in seconds; a picture of each run, of several seeds of the first.
)";

constexpr const char *kNumbers = "Numbers of a run", *kNodeNumbers = "Numbers of a node";

using Say = std::function<std::string(const std::string&)>;

// Lines of code stay; of a heading and an item the text behind its mark is said.
std::string linesSaid(std::string_view text, const Say& say) {
  std::string out;
  for (bool code = false; !text.empty();) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line == "```") code = !code;
    const std::size_t mark = line.starts_with("- ") ? 2 : line.starts_with('#') ? line.find(' ') + 1 : 0;
    const bool said = !code && line != "```" && line.size() > mark;
    out += strCat(line.substr(0, mark), said ? say(std::string(line.substr(mark))) : std::string(line.substr(mark)), "\n");
  }
  return out;
}

std::string listed(const std::vector<NumberName>& names, const Say& say) {
  std::string out = "\n";
  for (const NumberName& each : names) out += strCat("- `", each.name, "`: ", say(each.help), "\n");
  return out;
}

}  // namespace

std::string syntaxHelp(const Say& say) {
  const Say words = say ? say : [](const std::string& text) { return text; };
  return strCat(linesSaid(kBegin, words), "\n## ", words(kNumbers), "\n", listed(runNumbers(), words), "\n## ", words(kNodeNumbers), "\n", listed(nodeNumbers(), words));
}

std::vector<std::string> syntaxTexts() {
  std::vector<std::string> texts;
  syntaxHelp([&texts](const std::string& text) { return texts.push_back(text), text; });
  return texts;
}

std::string programVersion() {
  const std::string commit = kSourceCommit;
  return strCat("Paceline ", PACELINE_VERSION, commit.empty() ? "" : strCat(", commit ", commit));
}

}  // namespace paceline::report
