#include "engine/core/spec/schema.h"

#include <cmath>
#include <limits>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"
#include "engine/core/spec/run_spec_fields.h"
#include "engine/core/spec/search.h"

namespace paceline {

Json schemaOf(const Params&) { return {{"type", "object"}, {"additionalProperties", {{"type", {"boolean", "number", "string"}}}}}; }

Json schemaOf(const Edge& edge) {
  const auto whole = [](int least, int fallback) { return Json{{"type", "integer"}, {"minimum", least}, {"default", fallback}}; };
  const Json times = {{"type", "object"},
                      {"properties", {{"every", whole(1, edge.every)}, {"offset", whole(0, edge.offset)}}},
                      {"additionalProperties", false}};
  return {{"type", "array"}, {"items", Json::array({{{"type", "string"}}, {{"type", "string"}}, times})}, {"minItems", 2}, {"maxItems", 3}};
}

// The JSON Schema of described structs, as reading takes them. Types with a form of their own have `Json schemaOf(const T&)`.
namespace {

template <class T>
Json schemaOfValue(const Field& field, const T& fallback);

void addBounds(Json& schema, const Bounds& bounds) {
  if (std::isfinite(bounds.min)) schema[bounds.aboveMin ? "exclusiveMinimum" : "minimum"] = plainNumber(bounds.min);
  if (std::isfinite(bounds.max)) schema[bounds.belowMax ? "exclusiveMaximum" : "maximum"] = plainNumber(bounds.max);
}

Json textSchema(std::span<const char* const> choices) {
  Json schema = {{"type", "string"}};
  for (const char* choice : choices) schema["enum"].push_back(choice);
  return schema;
}

// "Rounds between two evaluations; 0: never"
template <class T>
std::string helpText(const Field& field, const T&) {
  std::string text(field.help);
  if (!field.zero.empty()) text.append(text.empty() ? "" : "; ").append(std::is_arithmetic_v<T> ? "0" : "empty").append(": ").append(field.zero);
  return text;
}

struct MemberSchema {
  template <class T>
  void operator()(const Field& field, const T& fallback) {
    Json schema = schemaOfValue(field, fallback);
    if (!field.help.empty()) schema["description"] = helpText(field, fallback);
    properties[std::string(field.key)] = std::move(schema);
    if (field.required) required.push_back(std::string(field.key));
  }

  Json properties = Json::object();
  Json required = Json::array();
};

template <class T>
struct OneSchema {
  static Json of(const Field& field, const T& fallback) {
    if constexpr (Described<T>) {
      MemberSchema members;
      describe(members, const_cast<T&>(fallback));
      Json schema = {{"type", "object"}, {"properties", std::move(members.properties)}, {"additionalProperties", false}};
      if (!members.required.empty()) schema["required"] = std::move(members.required);
      return schema;
    } else if constexpr (requires { schemaOf(fallback); }) {
      return schemaOf(fallback);
    } else if constexpr (Worded<T>) {
      const auto words = wordsOf(fallback);
      return withDefault(textSchema(words), field, fallback);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return withDefault(textSchema(field.choices), field, fallback);
    } else if constexpr (std::is_same_v<T, bool>) {
      return withDefault({{"type", "boolean"}}, field, fallback);
    } else {
      Bounds bounds = field.bounds;
      if constexpr (std::is_integral_v<T>) {
        if (bounds.min < -1e18) bounds.min = static_cast<double>(std::numeric_limits<T>::min());
        if (sizeof(T) <= sizeof(int) && bounds.max > 1e18) bounds.max = static_cast<double>(std::numeric_limits<T>::max());
      }
      Json schema = {{"type", std::is_integral_v<T> ? "integer" : "number"}};
      addBounds(schema, bounds);
      return withDefault(std::move(schema), field, fallback);
    }
  }
  static Json withDefault(Json schema, const Field& field, const T& fallback) {
    if (!field.required) schema["default"] = written(fallback);
    return schema;
  }
};
template <int kNumber>
struct OneSchema<FormVersion<kNumber>> {
  static Json of(const Field&, const FormVersion<kNumber>&) { return {{"const", kNumber}}; }
};
template <class T>
struct OneSchema<std::optional<T>> {
  static Json of(const Field& field, const std::optional<T>&) {
    Json schema = schemaOfValue(field, T{});
    schema["type"] = Json::array({schema["type"], "null"});
    schema["default"] = nullptr;
    return schema;
  }
};
template <class T>
struct OneSchema<std::vector<T>> {
  static Json of(const Field& field, const std::vector<T>&) {
    Field item = field;
    item.required = true;  // an item has no default
    Json schema = {{"type", "array"}, {"items", schemaOfValue(item, T{})}};
    if (field.bounds.min >= 1 && std::is_same_v<T, std::string>) schema["minItems"] = 1;
    return schema;
  }
};

template <class T>
struct OneSchema<std::map<std::string, T>> {
  static Json of(const Field&, const std::map<std::string, T>&) { return {{"type", "object"}, {"additionalProperties", schemaOfValue(Field{}, T{})}}; }
};

template <class T>
Json schemaOfValue(const Field& field, const T& fallback) { return OneSchema<T>::of(field, fallback); }

Json withHelp(Json schema, const std::string& help) {
  if (!help.empty()) schema["description"] = help;
  return schema;
}

Json paramSchema(const ParamSpec& param) {
  Json schema = {{"default", written(param.fallback)}};
  switch (param.type) {
    case ParamType::kBoolean: schema["type"] = "boolean"; break;
    case ParamType::kInteger: schema["type"] = "integer"; break;
    case ParamType::kReal: schema["type"] = "number"; break;
    case ParamType::kChoice: schema["enum"] = param.choices; break;
    case ParamType::kText: schema["type"] = "string"; break;
  }
  if (param.min) addBounds(schema, {.min = *param.min});
  if (param.max) addBounds(schema, {.max = *param.max});
  return withHelp(std::move(schema), param.help);
}

// An object whose "id" is one of the catalogue's; for each id `rest` says what else it may have. Without an id it is `fallback`.
template <class Entry, class Rest>
Json choiceSchema(const std::vector<Entry>& entries, const std::string& fallback, Json others, const Rest& rest) {
  Json ids = Json::array(), cases = Json::array();
  for (const Entry& entry : entries) {
    ids.push_back(entry.id);
    Json when = {{"properties", {{"id", {{"const", entry.id}}}}}};
    if (entry.id != fallback) when["required"] = {"id"};
    cases.push_back({{"if", std::move(when)}, {"then", {{"properties", rest(entry)}}}});
  }
  others["id"] = {{"enum", std::move(ids)}};
  if (!fallback.empty()) others["id"]["default"] = fallback;
  return {{"type", "object"}, {"properties", std::move(others)}, {"additionalProperties", false}, {"allOf", std::move(cases)}};
}

template <class Entry>
Json choiceSchema(const std::vector<Entry>& entries, const std::string& fallback) {
  return choiceSchema(entries, fallback, {{"params", {{"type", "object"}}}}, [](const Entry& entry) {
    Json params = Json::object();
    for (const ParamSpec& param : entry.params) params[param.name] = paramSchema(param);
    return Json{{"params", {{"properties", std::move(params)}, {"additionalProperties", false}}}};
  });
}

Json aggregationSchema(const std::vector<AggregationEntry>& entries, const Aggregation& fallback) {
  return choiceSchema(entries, fallback.id, {{"engine", {{"default", fallback.engine}}}}, [](const AggregationEntry& entry) {
    Json engines = {"auto", "paceline"};
    for (const std::string& engine : entry.engines) engines.push_back(engine);
    return Json{{"engine", {{"enum", std::move(engines)}}}};
  });
}

// Every member but none required: what a suite's base may have.
Json documentSchema(const Catalog& catalog) {
  const RunSpec fresh;
  Json schema = schemaOfValue(Field{}, fresh);
  schema.erase("required");
  Json& members = schema["properties"];
  const auto put = [&members](const char* key, Json choice) {
    choice["description"] = members[key]["description"];
    members[key] = std::move(choice);
  };
  put("algorithm", choiceSchema(catalog.algorithms, fresh.algorithm.id));
  put("aggregation", aggregationSchema(catalog.aggregations, fresh.aggregation));
  put("model", choiceSchema(catalog.models, fresh.model.id));
  put("dataset", choiceSchema(catalog.datasets, fresh.dataset.id));
  put("partition", choiceSchema(catalog.partitions, fresh.partition.id));
  put("learning_rate_schedule", choiceSchema(catalog.schedules, fresh.learningRateSchedule.id));
  put("topology", choiceSchema(catalog.topologies, fresh.topology.id));
  members["nodes"]["items"]["properties"]["id"]["pattern"] = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$";
  members["$schema"] = {{"type", "string"}, {"description", "The address of this schema, for editors"}};
  return schema;
}

}  // namespace

std::string schemaText(const Catalog& catalog, int indent) {
  const Json document = {{"$ref", "#/definitions/document"}}, hasId = {{"required", {"id"}}};
  const Json complete = {{"required", {"paceline", "algorithm", "model", "dataset", "nodes", "stop"}},
                         {"properties", {{"algorithm", hasId}, {"model", hasId}, {"dataset", hasId}, {"nodes", {{"minItems", 1}}}, {"stop", {{"minProperties", 1}}}}}};
  const Json named = {{"type", "object"},
                      {"properties", {{"name", {{"type", "string"}}}, {"set", {{"type", "object"}}}}},
                      {"required", {"name", "set"}},
                      {"additionalProperties", false}};
  const Json axis = {{"type", "array"}, {"minItems", 1}};
  Json settings = axis;
  settings["items"] = named;
  const Json suite = {
      {"type", "object"},
      {"properties",
       {{"$schema", {{"type", "string"}}},
        {"base", document},
        {"vary",
         {{"type", "object"},
          {"patternProperties", {{"^/", axis}}},
          {"additionalProperties", settings},
          {"description", "Lists of values under JSON pointers, or of settings {name, set: {pointer: value}} under a title; all combinations are run"}}},
        {"skip",
         {{"type", "array"},
          {"items", {{"type", "object"}, {"minProperties", 1}}},
          {"description", "Combinations that are not run: each entry names values of \"vary\" by key, those of settings by their name, and leaves out all runs that have them"}}},
        {"search", withHelp(schemaOfValue(Field{}, SearchSpec{}), "Points are chosen by what earlier ones gave, instead of all combinations")}}},
      {"additionalProperties", false}};
  const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "Paceline: a run, or a suite of runs"},
                       {"definitions", {{"document", documentSchema(catalog)}, {"suite", suite}}},
                       {"if", {{"required", {"base"}}}},
                       {"then", {{"$ref", "#/definitions/suite"}}},
                       {"else", {{"allOf", {document, complete}}}}};
  return dumped(schema, indent) + "\n";
}

namespace {

std::string boundsText(const Bounds& bounds) {
  const bool low = std::isfinite(bounds.min), high = std::isfinite(bounds.max);
  if (low && high) return strCat(bounds.aboveMin ? "above " : "", boundText(bounds.min), bounds.belowMax ? " to below " : " to ", boundText(bounds.max));
  if (low) return strCat(bounds.aboveMin ? "above " : "at least ", boundText(bounds.min));
  return high ? strCat(bounds.belowMax ? "below " : "at most ", boundText(bounds.max)) : "";
}

class Lister {
 public:
  Lister(std::vector<FieldInfo>& all, std::string place) : all_(all), place_(std::move(place)) {}

  template <class T>
  void operator()(const Field& field, T& value) {
    const std::string pointer = pointerTo(place_, std::string(field.key));
    FieldInfo info{.pointer = pointer, .label = std::string(field.label), .help = helpText(field, value), .unit = std::string(field.unit), .limits = ""};
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      const std::string bounds = boundsText(field.bounds);
      info.limits = strCat(bounds, bounds.empty() ? "" : ", ", "default ", value);
    } else if constexpr (std::is_same_v<T, std::optional<double>> || std::is_same_v<T, std::optional<std::int64_t>>) {
      info.limits = boundsText(field.bounds);
    }
    all_.push_back(std::move(info));
    if constexpr (Described<T>) {
      Lister members(all_, pointer);
      describe(members, value);
    } else if constexpr (std::is_same_v<T, std::vector<NodeSpec>>) {
      NodeSpec node;
      Lister members(all_, pointer + "/0");
      describe(members, node);
    }
  }

 private:
  std::vector<FieldInfo>& all_;
  std::string place_;
};

std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

}  // namespace

const std::vector<FieldInfo>& runSpecFields() {
  static const std::vector<FieldInfo> fields = [] {
    std::vector<FieldInfo> made;
    RunSpec fresh;
    Lister members(made, "");
    describe(members, fresh);
    return made;
  }();
  return fields;
}

const FieldInfo* fieldAt(std::string_view pointer) {
  std::string general;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    const std::string_view part = pointer.substr(at, end - at);  // with its slash
    const bool item = part.size() > 1 && part.find_first_not_of("0123456789", 1) == std::string_view::npos;
    general += item ? "/0" : part;
    at = end;
  }
  for (const FieldInfo& field : runSpecFields())
    if (field.pointer == general) return &field;
  return nullptr;
}

std::string fieldLabel(std::string_view pointer) {
  const FieldInfo* field = fieldAt(pointer);
  return field == nullptr ? "" : field->label;
}

std::string fieldHelp(std::string_view pointer) {
  const FieldInfo* field = fieldAt(pointer);
  if (field == nullptr) return "";
  return field->limits.empty() ? field->help : strCat(sentence(field->help), " ", sentence(field->limits));
}

}  // namespace paceline
