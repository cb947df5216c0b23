// paceline storage [--free] [--empty-trash] [--empty-cache]: how the bytes of the store and of this computer are spent, and what can be given back.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cluster/recorder/client.h"
#include "app/cluster/run/storage_use.h"
#include "engine/core/json/json_text.h"

namespace paceline::cli {
namespace {

constexpr std::size_t kItemsShown = 20;

struct StorageArguments {
  bool free = false, emptyTrash = false, emptyCache = false, json = false;
};

Json folderJson(const run::FolderUse& folder) { return {{"path", folder.path}, {"bytes", folder.bytes}, {"entries", folder.entries}}; }

Json useJson(const run::StorageUse& use) {
  Json items = Json::array();
  for (const run::KeptItem& item : use.items)
    items.push_back({{"id", item.id}, {"name", item.name}, {"suite", item.suite}, {"runs", item.runs}, {"trashed", item.trashed}, {"records", item.records}, {"bytes", item.bytes}});
  return {{"store", {{"file_bytes", use.store.fileBytes}, {"log_bytes", use.store.logBytes}, {"free_bytes", use.store.freeBytes}, {"other_bytes", use.store.otherBytes}}},
          {"items", items},
          {"trash", {{"runs", use.trash.size()}, {"bytes", use.trashBytes}}},
          {"checkpoints", folderJson(use.checkpoints)},
          {"spools", folderJson(use.spools)},
          {"data_sets", folderJson(use.dataSets)},
          {"unpacked_arrays", folderJson(use.arrays)}};
}

void print(const run::StorageUse& use, const std::string& store) {
  const auto folder = [](const run::FolderUse& of) { return of.path.empty() ? std::string("none") : strCat(of.entries, " in ", of.path); };
  std::cout << tableText({"what", "size", "where"}, {{"store", bytesText(use.store.fileBytes), store},
                                                     {"  its log", bytesText(use.store.logBytes), "goes into the store by itself"},
                                                     {"  unused pages", bytesText(use.store.freeBytes), "given back by --free"},
                                                     {"  trash", bytesText(use.trashBytes), strCat(use.trash.size(), use.trash.size() == 1 ? " run" : " runs", ", deleted by --empty-trash")},
                                                     {"  documents, summaries", bytesText(use.store.otherBytes), ""},
                                                     {"checkpoints", bytesText(use.checkpoints.bytes), folder(use.checkpoints)},
                                                     {"spools", bytesText(use.spools.bytes), folder(use.spools)},
                                                     {"data sets", bytesText(use.dataSets.bytes), folder(use.dataSets)},
                                                     {"unpacked arrays", bytesText(use.arrays.bytes), use.arrays.path.empty() ? std::string("none") : strCat(folder(use.arrays), ", deleted by --empty-cache")}});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(use.items.size(), kItemsShown); ++i) {
    const run::KeptItem& item = use.items[i];
    rows.push_back({item.id, item.suite ? strCat(item.name, " (suite)") : item.name, std::to_string(item.runs), std::to_string(item.records), bytesText(item.bytes), item.trashed == 0 ? "" : item.trashed == item.runs ? "in the trash" : strCat(item.trashed, " in the trash")});
  }
  if (!rows.empty()) std::cout << '\n' << tableText({"id", "run or suite", "runs", "records", "size", ""}, rows);
  if (use.items.size() > kItemsShown) std::cout << "and " << use.items.size() - kItemsShown << " smaller ones\n";
}

void emptyCache(bool asJson) {
  const std::int64_t freed = run::emptyArrays();
  if (asJson) std::cout << dumped(Json{{"unpacked_arrays_bytes", freed}}, 2) << '\n';
  else std::cout << "freed " << bytesText(freed) << ": unpacked arrays are made again when a run reads their file\n";
}

void storage(const StorageArguments& arguments, const std::string& store) {
  if (arguments.emptyCache) return emptyCache(arguments.json);
  run::StorageUse use = run::storageUse(store);
  if (!arguments.free && !arguments.emptyTrash) return arguments.json ? static_cast<void>(std::cout << dumped(useJson(use), 2) << '\n') : print(use, store);
  const std::int64_t before = run::storeBytes(store);
  recorder::Client client(store);
  if (arguments.emptyTrash && !use.trash.empty())
    for (const std::string& problem : client.purge(use.trash)) std::cerr << "paceline: " << problem << '\n';
  client.compact();
  const std::int64_t after = run::storeBytes(store);
  if (arguments.json) std::cout << dumped(Json{{"before_bytes", before}, {"after_bytes", after}, {"purged", arguments.emptyTrash ? use.trash.size() : 0}}, 2) << '\n';
  else std::cout << "freed " << bytesText(std::max<std::int64_t>(0, before - after)) << ": " << store << " has " << bytesText(after) << " now, before " << bytesText(before) << '\n';
}

}  // namespace

void addStorageCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<StorageArguments>();
  CLI::App* command = app.add_subcommand("storage", "Says how the bytes of the store and of this computer are spent; gives back what is not needed.");
  command->add_flag("--free", arguments->free, "give unused pages of the store back to the disk");
  command->add_flag("--empty-trash", arguments->emptyTrash, "delete every run in the trash for ever, then give its pages back");
  command->add_flag("--empty-cache", arguments->emptyCache, "delete the arrays that were unpacked of .npz files; runs that need them unpack them again")->excludes("--free", "--empty-trash");
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { storage(*arguments, shared.store); });
}

}  // namespace paceline::cli
