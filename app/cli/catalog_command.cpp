// paceline catalog: what a spec can name, as paceline-worker on this computer describes it, and the figures.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/documents.h"
#include "app/cluster/run_controller.h"
#include "app/figures/figure.h"
#include "engine/core/error.h"
#include "engine/core/json_number.h"

namespace paceline {
namespace {

std::string valueText(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return strCat(*real);
  return "\"" + std::get<std::string>(value) + "\"";
}

std::string boundsText(const ParamSpec& param) {
  if (!param.choices.empty()) {
    std::string text;
    for (const std::string& choice : param.choices) text += (text.empty() ? "" : " | ") + choice;
    return " {" + text + "}";
  }
  if (!param.min && !param.max) return "";
  return strCat(" [", param.min ? strCat(*param.min) : "", "..", param.max ? strCat(*param.max) : "", "]");
}

void printEntry(const CatalogEntry& entry, const std::string& detail = "") {
  std::cout << "  " << entry.id << ": " << entry.title << (detail.empty() ? "" : " (" + detail + ")") << '\n';
  if (!entry.summary.empty()) std::cout << "      " << entry.summary << '\n';
  for (const ParamSpec& param : entry.params)
    std::cout << "      " << param.name << " = " << valueText(param.fallback) << (param.unit.empty() ? "" : " " + param.unit)
              << boundsText(param) << "  " << param.help << '\n';
}

std::string datasetDetail(const DatasetEntry& entry) {
  return strCat(entry.trainCount, " + ", entry.testCount, " images, ",
                entry.location.empty() ? "not found on this computer" : entry.location);
}

void printCatalog(const Catalog& catalog) {
  std::cout << "paceline-worker " << catalog.version << ", LibTorch " << catalog.torch << "\n\nalgorithms\n";
  for (const AlgorithmEntry& entry : catalog.algorithms) printEntry(entry, entry.synchronous ? "synchronous" : "asynchronous");
  std::cout << "\naggregations\n";
  for (const AggregationEntry& entry : catalog.aggregations) printEntry(entry);
  std::cout << "\nmodels\n";
  for (const ModelEntry& entry : catalog.models) printEntry(entry, strCat(entry.parameterCount, " parameters"));
  std::cout << "\ndata sets\n";
  for (const DatasetEntry& entry : catalog.datasets) printEntry(entry, datasetDetail(entry));
  std::cout << "\npartitions\n";
  for (const CatalogEntry& entry : catalog.partitions) printEntry(entry);
  std::cout << "\nlearning-rate schedules\n";
  for (const CatalogEntry& entry : catalog.schedules) printEntry(entry);
  std::cout << "\ndevices\n ";
  for (const std::string& device : catalog.devices) std::cout << ' ' << device;
  std::cout << "\n\nfigures\n";
  for (const FigureDef& figure : figures()) std::cout << "  " << figure.id << ": " << figure.summary << '\n';
}

std::string catalogDocument(const Catalog& catalog) {
  Json document = Json::parse(toJsonText(catalog));
  Json list = Json::array();
  for (const FigureDef& figure : figures())
    list.push_back({{"id", figure.id}, {"title", figure.title}, {"summary", figure.summary}});
  document["figures"] = std::move(list);
  return document.dump(2) + "\n";
}

}  // namespace

void addCatalogCommand(CLI::App& app, Shared&) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("catalog", "Lists algorithms, models, data sets, partitions, aggregations and figures.");
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->callback([json] {
    const Catalog catalog = describeLocal();
    if (*json)
      std::cout << catalogDocument(catalog);
    else
      printCatalog(catalog);
  });
}

}  // namespace paceline
