// paceline verify FILE...: whether bundles are what their runs left, without a store.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/scratch_folder.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "storage/interchange/interop.h"
#include "storage/interchange/verify.h"

namespace paceline::cli {
namespace {

struct VerifyArguments {
  std::vector<std::string> files;
  bool json = false;
};

interchange::Check checksumCheck(const std::string& file) {
  const std::optional<bool> holds = interchange::checksumHolds(file);
  if (!holds) return {.id = "checksum", .words = "it has none: made before bundles had one"};
  return {.id = "checksum", .holds = *holds, .words = *holds ? "holds" : "does not hold: the file was changed after it was exported"};
}

// Each in a store of its own, which is gone afterwards.
std::vector<interchange::Check> checksOfFile(const std::string& file, std::string& run) {
  std::vector<interchange::Check> checks{checksumCheck(file)};
  const ScratchFolder folder;
  const std::string place = folder / "bundle.db";
  try {
    store::StoreWriter writer(place);
    interchange::importBundle(writer, file, interchange::Checksum::kPassedOver);
  } catch (const Error& error) {
    if (error.code() != Errc::kFormat) throw;
    checks.push_back({.id = "reading", .holds = false, .words = error.what()});
    return checks;
  }
  const store::StoreReader store(place);
  const Json here = {{"paceline", PACELINE_VERSION}};
  for (const store::RunRow& row : store.runs()) {
    run += strCat(run.empty() ? "" : ", ", row.name.empty() ? row.id : row.name);
    for (interchange::Check& check : interchange::checksOf(summary::loadRun(store, row), here)) checks.push_back(std::move(check));
  }
  return checks;
}

int verify(const VerifyArguments& arguments) {
  bool all = true;
  Json document = Json::array();
  for (const std::string& file : arguments.files) {
    std::string run;
    const std::vector<interchange::Check> checks = checksOfFile(file, run);
    Json told = Json::array();
    for (const interchange::Check& check : checks) all = all && check.holds, told.push_back({{"check", check.id}, {"holds", check.holds}, {"words", check.words}});
    document.push_back({{"file", file}, {"run", run}, {"checks", told}});
    if (arguments.json) continue;
    std::cout << file << (run.empty() ? "" : strCat(" (", run, ")")) << '\n';
    for (const interchange::Check& check : checks) std::cout << "  " << (check.holds ? "ok    " : "WRONG ") << check.id << ": " << check.words << '\n';
  }
  if (arguments.json) std::cout << dumped(document, 2) << '\n';
  return all ? 0 : 1;
}

}  // namespace

void addVerifyCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "Checks bundles of paceline export: their checksum, document, records, traffic, and what made them.");
  command->add_option("files", arguments->files, "bundles")->required()->type_name("FILE")->check(CLI::ExistingFile);
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([arguments, &shared] { shared.exit = verify(*arguments); });
}

}  // namespace paceline::cli
