#include "engine/core/spec/catalog.h"

#include <array>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline {
namespace {

constexpr std::array<const char*, 5> kParamTypes = {"boolean", "integer", "real", "choice", "text"};  // in the order of ParamType
constexpr std::array<const char*, 4> kTopologies = {"standalone", "server", "aggregated", "decentralised"};  // of Topology

Json toJson(const ParamValue& value) {
  if (const double* real = std::get_if<double>(&value)) return jsonNumber(*real);
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json toJson(const ParamSpec& spec) {
  Json json = {{"name", spec.name}, {"type", kParamTypes.at(static_cast<std::size_t>(spec.type))},
               {"default", toJson(spec.fallback)}, {"help", spec.help}, {"unit", spec.unit}};
  if (spec.min) json["min"] = jsonNumber(*spec.min);
  if (spec.max) json["max"] = jsonNumber(*spec.max);
  if (!spec.choices.empty()) json["choices"] = spec.choices;
  return json;
}

Json toJson(const Shape& shape) { return Json::array({shape.channels, shape.height, shape.width}); }

template <class Item>
Json listOf(const std::vector<Item>& items);

Json toJson(const CatalogEntry& entry) {
  return {{"id", entry.id}, {"title", entry.title}, {"summary", entry.summary}, {"reference", entry.reference},
          {"params", listOf(entry.params)}};
}

Json toJson(const AlgorithmEntry& entry) {
  Json json = toJson(static_cast<const CatalogEntry&>(entry));
  json["topology"] = kTopologies.at(static_cast<std::size_t>(entry.topology));
  json["synchronous"] = entry.synchronous;
  json["needs_server"] = entry.needsServer;
  json["momentum"] = entry.momentum;
  json["dense_pushes"] = entry.densePushes;
  json["groups"] = entry.groups;
  return json;
}

Json toJson(const AggregationEntry& entry) {
  Json json = toJson(static_cast<const CatalogEntry&>(entry));
  json["needs_server"] = entry.needsServer;
  json["engines"] = entry.engines;
  return json;
}

Json toJson(const ModelEntry& entry) {
  Json json = toJson(static_cast<const CatalogEntry&>(entry));
  json["inputs"] = listOf(entry.inputs);
  json["minimum_side"] = entry.minimumSide;
  json["parameter_count"] = entry.parameterCount;
  return json;
}

Json toJson(const DatasetEntry& entry) {
  Json json = toJson(static_cast<const CatalogEntry&>(entry));
  json["shape"] = toJson(entry.shape);
  json["classes"] = entry.classes;
  json["train_count"] = entry.trainCount;
  json["test_count"] = entry.testCount;
  json["location"] = entry.location;
  return json;
}

template <class Item>
Json listOf(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(toJson(item));
  return list;
}

// Reading: keys that a newer agent adds are passed over; what is missing or of another type is a finding.

template <std::size_t kCount>
std::size_t readName(Fields& fields, const char* key, const std::array<const char*, kCount>& names) {
  const auto text = fields.required<std::string>(key);
  for (std::size_t i = 0; i < kCount; ++i)
    if (text == names[i]) return i;
  fields.refuse(key, strCat("\"", quotable(text), "\" is not known"));
  return 0;
}

ParamValue readFallback(Fields& fields, ParamType type) {
  switch (type) {
    case ParamType::kBoolean: return fields.required<bool>("default");
    case ParamType::kInteger: return fields.required<std::int64_t>("default");
    case ParamType::kReal: {
      const Json* value = fields.find("default");
      const auto number = value == nullptr ? std::nullopt : numberFromJson(*value);
      if (!number) fields.refuse("default", "must be a number");
      return number.value_or(0);
    }
    case ParamType::kChoice:
    case ParamType::kText: break;
  }
  return fields.required<std::string>("default");
}

std::optional<double> readBound(Fields& fields, const char* key) {
  const Json* value = fields.find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  const auto number = numberFromJson(*value);
  if (!number) fields.refuse(key, "must be a number");
  return number;
}

void read(Fields& fields, ParamSpec& spec) {
  spec.name = fields.required<std::string>("name");
  spec.type = static_cast<ParamType>(readName(fields, "type", kParamTypes));
  spec.fallback = readFallback(fields, spec.type);
  spec.min = readBound(fields, "min");
  spec.max = readBound(fields, "max");
  spec.choices = fields.texts("choices");
  spec.help = fields.optional<std::string>("help", "");
  spec.unit = fields.optional<std::string>("unit", "");
}

Shape readShape(const Json& value, const std::string& pointer, std::vector<Finding>& findings) {
  Shape shape;
  if (!value.is_array() || value.size() != 3) {
    findings.push_back({pointer, "must be [channels, height, width]"});
    return shape;
  }
  const std::array<int*, 3> sizes = {&shape.channels, &shape.height, &shape.width};
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const auto size = fields::toInteger(value[i], 1, 1 << 20, pointerTo(pointer, i), findings)) *sizes[i] = static_cast<int>(*size);
  return shape;
}

template <class Item>
std::vector<Item> readList(Fields& fields, const char* key);

void read(Fields& fields, CatalogEntry& entry) {
  entry.id = fields.required<std::string>("id");
  entry.title = fields.optional<std::string>("title", "");
  entry.summary = fields.optional<std::string>("summary", "");
  entry.reference = fields.optional<std::string>("reference", "");
  entry.params = readList<ParamSpec>(fields, "params");
}

void read(Fields& fields, AlgorithmEntry& entry) {
  read(fields, static_cast<CatalogEntry&>(entry));
  entry.topology = static_cast<Topology>(readName(fields, "topology", kTopologies));
  entry.synchronous = fields.required<bool>("synchronous");
  entry.needsServer = fields.required<bool>("needs_server");
  entry.momentum = fields.optional<bool>("momentum", entry.momentum);
  entry.densePushes = fields.optional<bool>("dense_pushes", entry.densePushes);
  entry.groups = fields.optional<bool>("groups", entry.groups);
}

void read(Fields& fields, AggregationEntry& entry) {
  read(fields, static_cast<CatalogEntry&>(entry));
  entry.needsServer = fields.required<bool>("needs_server");
  entry.engines = fields.texts("engines");
}

void read(Fields& fields, ModelEntry& entry) {
  read(fields, static_cast<CatalogEntry&>(entry));
  const Json& inputs = fields.array("inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    entry.inputs.push_back(readShape(inputs[i], pointerTo(fields.pointer("inputs"), i), fields.findings()));
  entry.minimumSide = fields.required<int>("minimum_side");
  entry.parameterCount = fields.required<std::int64_t>("parameter_count");
}

void read(Fields& fields, DatasetEntry& entry) {
  read(fields, static_cast<CatalogEntry&>(entry));
  entry.shape = readShape(fields.array("shape"), fields.pointer("shape"), fields.findings());
  entry.classes = fields.required<int>("classes");
  entry.trainCount = fields.required<std::int64_t>("train_count");
  entry.testCount = fields.required<std::int64_t>("test_count");
  entry.location = fields.required<std::string>("location");
}

template <class Item>
std::vector<Item> readList(Fields& fields, const char* key) {
  std::vector<Item> items;
  const Json& values = fields.array(key);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Fields item(values[i], pointerTo(fields.pointer(key), i), fields.findings());
    read(item, items.emplace_back());
  }
  return items;
}

}  // namespace

Shape shapeOf(const Shape& shape, const Params& params) {
  const auto given = [&](const char* name, int fallback) { return params.has(name) ? static_cast<int>(params.integer(name)) : fallback; };
  const int side = given("resize", 0);
  return {.channels = given("channels", shape.channels),
          .height = side > 0 ? side : given("height", shape.height),
          .width = side > 0 ? side : given("width", shape.width)};
}

int classesOf(int classes, const Params& params) { return params.has("classes") ? static_cast<int>(params.integer("classes")) : classes; }

std::string toJsonText(const Catalog& catalog, int indent) {
  const Json json = {{"version", catalog.version},
                     {"torch", catalog.torch},
                     {"algorithms", listOf(catalog.algorithms)},
                     {"aggregations", listOf(catalog.aggregations)},
                     {"models", listOf(catalog.models)},
                     {"datasets", listOf(catalog.datasets)},
                     {"partitions", listOf(catalog.partitions)},
                     {"schedules", listOf(catalog.schedules)},
                     {"topologies", listOf(catalog.topologies)},
                     {"devices", catalog.devices}};
  return dumped(json, indent);
}

Catalog parseCatalog(std::string_view text) {
  Catalog catalog;
  std::vector<Finding> findings;
  if (const std::optional<Json> json = parseJson(text, findings)) {
    Fields fields(*json, "", findings);
    catalog.version = fields.required<std::string>("version");
    catalog.torch = fields.required<std::string>("torch");
    catalog.algorithms = readList<AlgorithmEntry>(fields, "algorithms");
    catalog.aggregations = readList<AggregationEntry>(fields, "aggregations");
    catalog.models = readList<ModelEntry>(fields, "models");
    catalog.datasets = readList<DatasetEntry>(fields, "datasets");
    catalog.partitions = readList<CatalogEntry>(fields, "partitions");
    catalog.schedules = readList<CatalogEntry>(fields, "schedules");
    catalog.topologies = readList<CatalogEntry>(fields, "topologies");
    catalog.devices = fields.texts("devices");
  }
  if (!findings.empty())
    throw Error(Errc::kFormat, strCat("catalogue", findings[0].pointer.empty() ? "" : " at ", findings[0].pointer, ": ", findings[0].message));
  return catalog;
}

}  // namespace paceline
