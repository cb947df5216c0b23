// paceline catalog: what a spec can name, as paceline-worker on this computer describes it, and the figures. paceline schema: the same for editors.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cluster/worker/worker_answer.h"
#include "app/cli/results/documents.h"
#include "app/figures/figure.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/schema.h"

namespace paceline::cli {
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
  return strCat(" [", param.min ? boundText(*param.min) : "", "..", param.max ? boundText(*param.max) : "", "]");
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

std::string inputsOf(const ModelEntry& entry) {
  if (entry.inputs.empty()) return entry.minimumSide > 1 ? strCat("any shape from ", entry.minimumSide, " pixels a side") : "any shape";
  std::string text;
  for (const Shape& input : entry.inputs) text += strCat(text.empty() ? "" : ", ", input.channels, "x", input.height, "x", input.width);
  return text;
}

std::string padded(std::string text, std::size_t width, bool right = false) {
  const std::string space(text.size() < width ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

// A line each: there are dozens.
void printModels(const std::vector<ModelEntry>& models) {
  std::size_t widest = 0;
  for (const ModelEntry& entry : models) widest = std::max(widest, entry.id.size());
  for (const ModelEntry& entry : models)
    std::cout << "  " << padded(entry.id, widest) << padded(std::to_string(entry.parameterCount), 11, true) << "  " << entry.title << " (" << inputsOf(entry) << ")\n";
  std::cout << "  with trainable parameters and input; paceline catalog ID tells more\n";
}

template <class Entry, class Detail>
bool printEntries(const std::vector<Entry>& entries, const std::string& id, const Detail& detail) {
  const Entry* entry = findEntry(entries, id);
  if (entry == nullptr) return false;
  printEntry(*entry, detail(*entry));
  if (!entry->reference.empty()) std::cout << "      from: " << entry->reference << '\n';
  return true;
}

// Words that a member of the document may have, with no entry of their own.
struct Choices {
  const char *title, *one, *key, *pointer;  // key: in the JSON document
  std::vector<std::string> ids;
};

std::vector<Choices> choicesOf(const Catalog& catalog) {
  std::vector<std::string> engines = {"paceline"};
  for (const AggregationEntry& entry : catalog.aggregations)
    for (const std::string& engine : entry.engines)
      if (std::ranges::find(engines, engine) == engines.end()) engines.push_back(engine);
  const auto all = [](const auto& words) { return std::vector<std::string>(std::begin(words), std::end(words)); };
  return {{.title = "optimisers", .one = "optimiser", .key = "optimizers", .pointer = "/optimizer/id", .ids = all(kOptimizers)},
          {.title = "wire formats", .one = "wire format", .key = "wire_formats", .pointer = "/wire/format", .ids = all(kWireFormats)},
          {.title = "protections", .one = "protection", .key = "protections", .pointer = "/protection", .ids = all(kProtections)},
          {.title = "engines of aggregations", .one = "engine of aggregations", .key = "engines", .pointer = "/aggregation/engine", .ids = std::move(engines)}};
}

bool printChoice(const Catalog& catalog, const std::string& id) {
  bool found = false;
  for (const Choices& choices : choicesOf(catalog)) {
    if (std::ranges::find(choices.ids, id) == choices.ids.end()) continue;
    std::cout << "  " << id << ": " << choices.one << " (" << choices.pointer << ")\n      " << fieldHelp(choices.pointer) << '\n';
    found = true;
  }
  return found;
}

// Everything of that id: a word may be an algorithm and a topology.
void printOnly(const Catalog& catalog, const std::string& id) {
  const auto plain = [](const CatalogEntry&) { return std::string(); };
  bool found = printEntries(catalog.algorithms, id, [](const AlgorithmEntry& entry) { return std::string(entry.synchronous ? "synchronous" : "asynchronous"); });
  found |= printEntries(catalog.aggregations, id, plain);
  found |= printEntries(catalog.models, id, [](const ModelEntry& entry) { return strCat(entry.parameterCount, " parameters, ", inputsOf(entry)); });
  found |= printEntries(catalog.datasets, id, datasetDetail);
  found |= printEntries(catalog.partitions, id, plain);
  for (const auto* entries : {&catalog.schedules, &catalog.topologies}) found |= printEntries(*entries, id, plain);
  if (const FigureDef* figure = findFigure(id)) std::cout << "  " << figure->id << ": " << figure->summary << '\n', found = true;
  found |= printChoice(catalog, id);
  if (!found) throw Error(Errc::kUsage, strCat("\"", quotable(id), "\" is not in the catalogue; paceline catalog lists all"));
}

void printCatalog(const Catalog& catalog) {
  std::cout << "paceline-worker " << catalog.version << ", LibTorch " << catalog.torch << "\n\nalgorithms\n";
  for (const AlgorithmEntry& entry : catalog.algorithms) printEntry(entry, entry.synchronous ? "synchronous" : "asynchronous");
  std::cout << "\naggregations\n";
  for (const AggregationEntry& entry : catalog.aggregations) printEntry(entry);
  std::cout << "\nmodels\n";
  printModels(catalog.models);
  std::cout << "\ndata sets\n";
  for (const DatasetEntry& entry : catalog.datasets) printEntry(entry, datasetDetail(entry));
  std::cout << "\npartitions\n";
  for (const CatalogEntry& entry : catalog.partitions) printEntry(entry);
  std::cout << "\nlearning-rate schedules\n";
  for (const CatalogEntry& entry : catalog.schedules) printEntry(entry);
  std::cout << "\ntopologies\n";
  for (const CatalogEntry& entry : catalog.topologies) printEntry(entry);
  for (const Choices& choices : choicesOf(catalog)) std::cout << '\n' << choices.title << ": " << listed(choices.ids) << "\n  " << fieldHelp(choices.pointer) << '\n';
  std::cout << "\ndevices\n ";
  for (const std::string& device : catalog.devices) std::cout << ' ' << device;
  std::cout << "\n\nfigures\n";
  for (const FigureDef& figure : figures()) std::cout << "  " << figure.id << ": " << figure.summary << '\n';
}

std::string catalogDocument(const Catalog& catalog) {
  Json document = jsonFrom(toJsonText(catalog), "catalogue");
  Json list = Json::array();
  for (const FigureDef& figure : figures())
    list.push_back({{"id", figure.id}, {"title", figure.title}, {"summary", figure.summary}});
  document["figures"] = std::move(list);
  for (const Choices& choices : choicesOf(catalog))
    for (const std::string& id : choices.ids) document[choices.key].push_back({{"id", id}, {"pointer", choices.pointer}, {"summary", fieldHelp(choices.pointer)}});
  return document.dump(2) + "\n";
}

}  // namespace

void addCatalogCommand(CLI::App& app, Shared&) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("catalog", "Lists algorithms, models, data sets, partitions, aggregations, topologies, optimisers, wire formats, protections and figures.");
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  auto id = std::make_shared<std::string>();
  command->add_option("id", *id, "only this entry, with its parameters and source");
  command->callback([json, id] {
    const Catalog catalog = worker::describeLocal();
    if (*json)
      std::cout << catalogDocument(catalog);
    else if (!id->empty())
      printOnly(catalog, *id);
    else
      printCatalog(catalog);
  });
  app.add_subcommand("schema", "Prints the JSON Schema (draft-07) of runs and suites, for editors and validators.")->callback([] {
    std::cout << schemaText(worker::describeLocal());
  });
}

}  // namespace paceline::cli
