// paceline tag | note | rename: what people write about runs.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/runs/chosen_runs.h"
#include "app/cluster/recorder/client.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

using Words = std::vector<std::string>;

// All runs are found before the first is touched.
void write(const Words& words, const std::string& storePath, const std::function<void(store::RunRow&)>& change) {
  std::vector<store::RunRow> runs = chosenRuns(store::StoreReader(storePath), storePath, words);
  recorder::Client client(storePath);
  for (store::RunRow& run : runs) {
    const store::RunRow before = run;
    change(run);
    if (run.name != before.name || run.notes != before.notes || run.tags != before.tags) client.setText(run.id, run.name, run.notes, run.tags);
    std::cout << run.id << "  " << nameOr(run) << (run.tags.empty() ? "" : "  [" + listed(run.tags) + "]") << '\n';
  }
}

void refuseUnfit(const Words& tags) {
  for (const std::string& tag : tags)
    if (tag.empty() || tag.find(',') != std::string::npos || std::ranges::any_of(tag, [](unsigned char c) { return c < 0x20; }))
      throw Error(Errc::kUsage, strCat("\"", quotable(tag), "\" is no tag: a tag has letters, and no comma and no line end"));
}

struct TagArguments {
  Words runs, add, remove;
};

void tag(const TagArguments& arguments, const std::string& storePath) {
  if (arguments.add.empty() && arguments.remove.empty()) throw Error(Errc::kUsage, "tag needs --add or --remove");
  refuseUnfit(arguments.add);
  write(arguments.runs, storePath, [&](store::RunRow& run) {
    std::erase_if(run.tags, [&](const std::string& each) { return std::ranges::find(arguments.remove, each) != arguments.remove.end(); });
    for (const std::string& each : arguments.add)
      if (std::ranges::find(run.tags, each) == run.tags.end()) run.tags.push_back(each);
  });
}

struct TextArguments {
  std::string run, text;
  bool append = false;
};

}  // namespace

void addTextCommands(CLI::App& app, Shared& shared) {
  auto tags = std::make_shared<TagArguments>();
  CLI::App* tagging = app.add_subcommand("tag", "Gives tags to runs and takes them away; `paceline runs TAG` finds them.");
  tagging->add_option("runs", tags->runs, "ids, beginnings of ids, names; suites, too")->required()->type_name("RUN|SUITE");
  tagging->add_option("-a,--add", tags->add, "a tag that they shall have")->type_name("TAG")->allow_extra_args(false);
  tagging->add_option("-r,--remove", tags->remove, "one that they shall not have")->type_name("TAG")->allow_extra_args(false);
  tagging->callback([tags, &shared] { tag(*tags, shared.store); });

  auto note = std::make_shared<TextArguments>();
  CLI::App* noting = app.add_subcommand("note", "Writes the notes of a run.");
  noting->add_option("run", note->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  noting->add_option("text", note->text, "the notes; \"\": none")->required()->type_name("TEXT");
  noting->add_flag("--append", note->append, "as another line below what is there");
  noting->callback([note, &shared] {
    write({note->run}, shared.store, [&](store::RunRow& run) { run.notes = note->append && !run.notes.empty() ? run.notes + "\n" + note->text : note->text; });
  });

  auto name = std::make_shared<TextArguments>();
  CLI::App* naming = app.add_subcommand("rename", "Gives a run another name.");
  naming->add_option("run", name->run, "id, beginning of an id, or name")->required()->type_name("RUN");
  naming->add_option("name", name->text, "the name; \"\": none, its id then stands for it")->required()->type_name("TEXT");
  naming->callback([name, &shared] {
    if (std::ranges::any_of(name->text, [](unsigned char c) { return c < 0x20; })) throw Error(Errc::kUsage, "a name is one line");
    write({name->run}, shared.store, [&](store::RunRow& run) { run.name = name->text; });
  });
}

}  // namespace paceline::cli
