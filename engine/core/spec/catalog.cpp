#include "engine/core/spec/catalog.h"

#include <algorithm>
#include <array>

#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/spec/run_spec_fields.h"

namespace paceline {

// The members of catalogue entries. Those that are required have been there since the first agent; keys of newer agents are passed over.

constexpr std::array<const char*, 5> wordsOf(ParamType) { return {"boolean", "integer", "real", "choice", "text"}; }
constexpr std::array<const char*, 5> wordsOf(Limit) { return {"", "workers", "classes", "samples_per_worker", "minority"}; }
constexpr std::array<const char*, 4> wordsOf(Topology) { return {"standalone", "server", "aggregated", "decentralised"}; }

void describe(auto& visit, ParamCase& when) {
  visit(Field{.key = "param"}, when.param);
  visit(Field{.key = "values"}, when.values);
}

void describe(auto& visit, ParamSpec& param) {
  visit(Field{.key = "name", .required = true}, param.name);
  visit(Field{.key = "type", .required = true}, param.type);
  visit(Field{.key = "default", .required = true}, param.fallback);
  visit(Field{.key = "min", .brief = true}, param.min);
  visit(Field{.key = "max", .brief = true}, param.max);
  visit(Field{.key = "choices", .brief = true}, param.choices);
  visit(Field{.key = "help"}, param.help);
  visit(Field{.key = "unit"}, param.unit);
  visit(Field{.key = "at_most", .brief = true}, param.atMost);
  visit(Field{.key = "counts", .brief = true}, param.counts);
  visit(Field{.key = "label", .brief = true}, param.label);
  visit(Field{.key = "part", .brief = true}, param.part);
  visit(Field{.key = "choice_labels", .brief = true}, param.choiceLabels);
  visit(Field{.key = "advanced", .brief = true}, param.advanced);
  visit(Field{.key = "younger", .brief = true}, param.younger);
  visit(Field{.key = "file", .brief = true}, param.file);
  visit(Field{.key = "code", .brief = true}, param.code);
}

void describe(auto& visit, CatalogEntry& entry) {
  visit(Field{.key = "id", .required = true}, entry.id);
  visit(Field{.key = "title"}, entry.title);
  visit(Field{.key = "summary"}, entry.summary);
  visit(Field{.key = "reference"}, entry.reference);
  visit(Field{.key = "params"}, entry.params);
}

void describe(auto& visit, AlgorithmEntry& entry) {
  describe(visit, static_cast<CatalogEntry&>(entry));
  visit(Field{.key = "topology", .required = true}, entry.topology);
  visit(Field{.key = "synchronous", .required = true}, entry.synchronous);
  visit(Field{.key = "needs_server", .required = true}, entry.needsServer);
  visit(Field{.key = "momentum"}, entry.momentum);
  visit(Field{.key = "adaptive"}, entry.adaptive);
  visit(Field{.key = "needs_sgd", .brief = true}, entry.needsSgd);
  visit(Field{.key = "dense_pushes"}, entry.densePushes);
  visit(Field{.key = "overlaps"}, entry.overlaps);
  visit(Field{.key = "traffic_by_value", .brief = true}, entry.trafficByValue);
  visit(Field{.key = "survives_loss"}, entry.survivesLoss);
  visit(Field{.key = "joins_again"}, entry.joinsAgain);
  visit(Field{.key = "combines", .brief = true}, entry.combines);
  visit(Field{.key = "partial_by", .brief = true}, entry.partialBy);
  visit(Field{.key = "groups"}, entry.groups);
  visit(Field{.key = "needs_groups", .brief = true}, entry.needsGroups);
  visit(Field{.key = "needs_two_more", .brief = true}, entry.needsTwoMore);
  visit(Field{.key = "one_way", .brief = true}, entry.oneWay);
  visit(Field{.key = "needs_long_edges", .brief = true}, entry.needsLongEdges);
}

void describe(auto& visit, AggregationEntry& entry) {
  describe(visit, static_cast<CatalogEntry&>(entry));
  visit(Field{.key = "needs_server", .required = true}, entry.needsServer);
  visit(Field{.key = "engines"}, entry.engines);
}

void describe(auto& visit, Block& block) {
  visit(Field{.key = "name"}, block.name);
  visit(Field{.key = "size", .bounds = {.min = 1, .max = 1e12}, .required = true}, block.size);
  visit(Field{.key = "trainable"}, block.trainable);
  visit(Field{.key = "decays"}, block.decays);
  visit(Field{.key = "work", .bounds = atLeast(0)}, block.work);
  visit(Field{.key = "shape", .brief = true}, block.shape);
}

void describe(auto& visit, ModelLayout& layout) {
  visit(Field{.key = "input", .required = true}, layout.input);
  visit(Field{.key = "classes", .required = true}, layout.classes);
  visit(Field{.key = "params"}, layout.params);
  visit(Field{.key = "blocks", .required = true}, layout.blocks);
}

// Where a block begins follows from those before it.
void crossCheck(Fields&, ModelLayout& layout) {
  std::size_t offset = 0;
  for (Block& block : layout.blocks) block.offset = offset, offset += block.size;
}

void describe(auto& visit, ModelEntry& entry) {
  describe(visit, static_cast<CatalogEntry&>(entry));
  visit(Field{.key = "inputs"}, entry.inputs);
  visit(Field{.key = "minimum_side", .required = true}, entry.minimumSide);
  visit(Field{.key = "tokens", .brief = true}, entry.tokens);
  visit(Field{.key = "minimum_batch"}, entry.minimumBatch);
  visit(Field{.key = "parameter_count", .required = true}, entry.parameterCount);
  visit(Field{.key = "layouts", .brief = true}, entry.layouts);
}

void describe(auto& visit, DatasetEntry& entry) {
  describe(visit, static_cast<CatalogEntry&>(entry));
  visit(Field{.key = "shape", .required = true}, entry.shape);
  visit(Field{.key = "classes", .required = true}, entry.classes);
  visit(Field{.key = "train_count", .required = true}, entry.trainCount);
  visit(Field{.key = "test_count", .required = true}, entry.testCount);
  visit(Field{.key = "tokens", .brief = true}, entry.tokens);
  visit(Field{.key = "in_files"}, entry.inFiles);
  visit(Field{.key = "location", .required = true}, entry.location);
  visit(Field{.key = "downloads", .brief = true}, entry.downloads);
}

void describe(auto& visit, PartitionEntry& entry) {
  describe(visit, static_cast<CatalogEntry&>(entry));
  visit(Field{.key = "disjoint"}, entry.disjoint);
  visit(Field{.key = "by_class", .brief = true}, entry.byClass);
  visit(Field{.key = "even"}, entry.even);
  visit(Field{.key = "shares"}, entry.shares);
  visit(Field{.key = "ignores_shares", .brief = true}, entry.ignoresShares);
  visit(Field{.key = "sizes_from", .brief = true}, entry.sizesFrom);
}

void describe(auto& visit, Catalog& catalog) {
  visit(Field{.key = "version", .required = true}, catalog.version);
  visit(Field{.key = "torch", .required = true}, catalog.torch);
  visit(Field{.key = "algorithms"}, catalog.algorithms);
  visit(Field{.key = "aggregations"}, catalog.aggregations);
  visit(Field{.key = "models"}, catalog.models);
  visit(Field{.key = "datasets"}, catalog.datasets);
  visit(Field{.key = "partitions"}, catalog.partitions);
  visit(Field{.key = "schedules"}, catalog.schedules);
  visit(Field{.key = "topologies"}, catalog.topologies);
  visit(Field{.key = "devices"}, catalog.devices);
}

// A default has the type that the parameter declares: 1 is a real there.
void crossCheck(Fields& at, ParamSpec& param) {
  if (at.find("default") == nullptr) return;
  if (const auto fallback = converted(param, param.fallback, at.pointer("default"), at.findings())) param.fallback = *fallback;
}

Json toJson(const Shape& shape) { return Json::array({shape.channels, shape.height, shape.width}); }

bool readJson(const Json& json, const std::string& at, std::vector<Finding>& findings, Shape& into) {
  if (!json.is_array() || json.size() != 3) {
    addFinding(findings, {at, "must be [channels, height, width]"});
    return false;
  }
  const std::array<int*, 3> sizes = {&into.channels, &into.height, &into.width};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const auto size = fields::to<int>(json[i], {.min = 0, .max = 2e9}, pointerTo(at, i), findings)) *sizes[i] = *size;
  return true;
}

namespace {

std::int64_t integerOr(const Params& params, std::string_view name, std::int64_t fallback) {
  const auto* value = valueOf<std::int64_t>(params, name);
  return value != nullptr ? *value : fallback;
}

}  // namespace

Shape shapeOf(const Shape& shape, const Params& params) {
  const auto given = [&](const char* name, int fallback) { return static_cast<int>(integerOr(params, name, fallback)); };
  if (shape.channels == 0) return shape;
  const int side = given("resize", 0);
  return {.channels = given("channels", shape.channels),
          .height = side > 0 ? side : given("height", shape.height),
          .width = side > 0 ? side : given("width", shape.width)};
}

const std::vector<Block>& blocksOf(const Choice& model, const Shape& input, int classes, const Catalog& catalog) {
  const ModelEntry* entry = findEntry(catalog.models, model.id);
  if (entry == nullptr) throw Error(Errc::kSpec, unknownId("model", model.id, catalog.models));
  for (const ModelLayout& layout : entry->layouts)
    if ((input.channels == 0 || (layout.input == input && layout.classes == classes)) && layout.params == model.params) return layout.blocks;
  throw Error(Errc::kSpec, strCat("the catalogue does not say what model \"", model.id, "\" with these parameters is made of for ", input.channels, "x", input.height, "x", input.width,
                                  " images of ", classes, " classes; \"paceline-worker describe SPEC\" prints one that does"));
}

bool tokensFit(const ModelEntry& model, const DatasetEntry& dataset, std::vector<Finding>& findings) {
  const bool ofFile = std::ranges::any_of(model.params, &ParamSpec::code);
  const bool fits = ofFile || model.tokens == dataset.tokens || (model.tokens && dataset.shape.channels == 0);
  if (!fits)
    addFinding(findings, {"/model/id", strCat("Model \"", model.id, "\" takes ", model.tokens ? "the characters of a text" : "pictures or numbers", "; data set \"", dataset.id, "\" has ",
                                              dataset.tokens ? "characters" : "pictures", ".")});
  return fits;
}

bool isMissing(const DatasetEntry& entry, const Params& params) {
  const auto path = std::ranges::find(entry.params, "path", &ParamSpec::name);
  const auto* given = valueOf<std::string>(params, "path");
  const bool own = path != entry.params.end() && given != nullptr && ParamValue(*given) != path->fallback;
  return entry.location.empty() && !own;
}

int classesOf(int classes, const Params& params) { return static_cast<int>(integerOr(params, "classes", classes)); }

std::int64_t trainCountOf(const DatasetEntry& entry, const Params& params) { return integerOr(params, "train_count", entry.trainCount); }

std::string toJsonText(const Catalog& catalog, int indent) { return dumped(written(catalog), indent); }

Catalog parseCatalog(std::string_view text) {
  Catalog catalog;
  std::vector<Finding> findings;
  if (const std::optional<Json> json = parseJson(text, findings)) {
    Fields fields(*json, "", findings);
    readObject(fields, catalog, UnknownKeys::kPassedOver);
  }
  if (!findings.empty())
    throw Error(Errc::kFormat, strCat("catalogue", findings[0].pointer.empty() ? "" : " at ", findings[0].pointer, ": ", findings[0].message));
  return catalog;
}

void checkOptimizerFits(const RunSpec& spec, const AlgorithmEntry& algorithm, std::vector<Finding>& findings) {
  const Optimizer& optimizer = spec.optimizer;
  const std::string name = strCat("algorithm \"", quotable(algorithm.id), "\"");
  if (optimizer.momentum > 0 && !algorithm.momentum)
    addFinding(findings, {"/optimizer/momentum", strCat(name, " does not use momentum (its own is a parameter, if it has one); it is ", optimizer.momentum, ".")});
  const ParamCase& plain = algorithm.needsSgd;
  const bool needsSgd = plain.holds(spec.algorithm.params);
  if (optimizer.adaptive() && (!algorithm.momentum || !algorithm.adaptive || needsSgd))
    addFinding(findings, {"/optimizer/id", strCat(name, needsSgd ? strCat(" with ", plain.param, " \"", spec.algorithm.params.text(plain.param), "\"") : "",
                                                  " takes the steps of its paper, which sgd makes; the optimizer is ", optimizer.id, ".")});
  else if (optimizer.decaysApart() && algorithm.topology == Topology::kServer)
    addFinding(findings, {"/optimizer/id", strCat(name, " takes its steps at servers, which do not know what decays; the optimizer is adamw. adam has its decay in the gradient.")});
}

}  // namespace paceline
