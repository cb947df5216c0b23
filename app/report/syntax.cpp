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

Numbers can be calculated with `+ - * / ( )`, and written with other decimals or another unit: `{{ssgd.time_to_target / esync.time_to_target : 2}}`, `{{esync.best_accuracy - ssgd.best_accuracy : 1 %}}`, `{{esync.wall_time / 60 : 0 min}}`; the unit `none` leaves it out. What a run did not reach is written as "not reached". `{{target}}` and `{{made}}` are the target and the time of making. A run without a short name is written as its id, or in quotes: `{{"demo ssgd seed 1".rounds}}`.

## Figures, tables and lanes

Each on a line of its own. Runs behind it are optional: without them it is of all in the head.

- `{{figure accuracy esync ssgd x=rounds smooth=5}}`: any figure of `paceline catalog`. Options: `x` time, rounds, epochs, samples or bytes; `log` x, y or xy; `smooth` points; `style` published; `seeds` apart; `over` a run (of a speed-up); `standalone` an accuracy; `cut` time, rounds, samples or bytes; `height` mm; `caption` "words"; `notes` no.
- `{{results}}`: the results table with what it tells. Options: `cut`, `columns` all, `caption`, `notes` no.
- `{{differences esync ssgd}}`: the settings in which the documents differ.
- `{{lanes esync from=2 to=6}}`: who waits for whom, whole or between two times in seconds.
)";

std::string listed(const std::vector<NumberName>& names) {
  std::string out = "\n";
  for (const NumberName& each : names) out += strCat("- `", each.name, "`: ", each.help, "\n");
  return out;
}

}  // namespace

std::string syntaxHelp() { return strCat(kBegin, "\n## Numbers of a run\n", listed(runNumbers()), "\n## Numbers of a node\n", listed(nodeNumbers())); }

std::string programVersion() {
  const std::string commit = kSourceCommit;
  return strCat("Paceline ", PACELINE_VERSION, commit.empty() ? "" : strCat(", commit ", commit));
}

}  // namespace paceline::report
