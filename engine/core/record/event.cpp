#include "engine/core/record/event.h"

#include <chrono>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

struct Writer {
  Json& object;
  bool emptyTexts;  // are written, too
  void operator()(const Field& field, double value) { object[field.key] = jsonNumber(value); }
  void operator()(const Field& field, const std::optional<double>& value) {
    if (value) object[field.key] = jsonNumber(*value);
  }
  void operator()(const Field& field, const std::string& value) {
    if (emptyTexts || !value.empty()) object[field.key] = value;
  }
  template <class Value>
  void operator()(const Field& field, const Value& value) { object[field.key] = value; }
};

class Reader {
 public:
  Reader(const Json& object, bool allThere) : object_(object), allThere_(allThere) {}

  template <class Value>
  void operator()(const Field& field, Value& value) const {
    const auto found = object_.find(field.key);
    if (found != object_.end()) return take(field.key, *found, value);
    constexpr bool kMayBeAbsent = std::is_same_v<Value, std::string> || std::is_same_v<Value, std::optional<double>>;
    if (allThere_ && field.since == 0 && !kMayBeAbsent) throw Error(Errc::kFormat, strCat(field.key, " is missing"));
  }

 private:
  [[noreturn]] static void refuse(std::string_view key, const char* wanted, const Json& given) {
    throw Error(Errc::kFormat, strCat(key, " must be ", wanted, ", got ", described(given)));
  }
  static void take(std::string_view key, const Json& given, double& value) {
    const std::optional<double> number = numberFromJson(given);
    if (!number) refuse(key, "a number", given);
    value = *number;
  }
  static void take(std::string_view key, const Json& given, std::optional<double>& value) { take(key, given, value.emplace()); }
  static void take(std::string_view key, const Json& given, std::int64_t& value) {
    const bool fits = given.is_number_integer() && (!given.is_number_unsigned() || given.get<std::uint64_t>() <= INT64_MAX);
    if (!fits) refuse(key, "a whole number", given);
    value = given.get<std::int64_t>();
  }
  static void take(std::string_view key, const Json& given, std::string& value) {
    if (!given.is_string()) refuse(key, "a text", given);
    value = given.get<std::string>();
  }
  static void take(std::string_view key, const Json& given, std::vector<std::int64_t>& value) {
    if (!given.is_array()) refuse(key, "a list", given);
    for (const Json& item : given) take(key, item, value.emplace_back());
  }

  const Json& object_;
  bool allThere_;  // else every member may be absent
};

bool isKindOfRecord(std::string_view kind) {
  bool found = false;
  eachRecordType([&]<class Record>() { found = found || Record::kName.kind == kind; });
  return found;
}

template <class Record>
Json lineOf(const Record& record) {
  constexpr bool named = !Record::kName.kind.empty();  // else the record says its kind itself
  Json object = Json::object();
  if constexpr (named)
    object["kind"] = Record::kName.kind;
  else
    PACELINE_CHECK(!isKindOfRecord(record.kind), strCat("a notice cannot have the kind \"", record.kind, "\""));
  describe(Writer{object, !named}, record);
  return object;
}

}  // namespace

Event readEvent(const Json& object) {
  if (!object.is_object()) throw Error(Errc::kFormat, strCat("must be an object, got ", described(object)));
  std::string kind;
  if (!object.contains("kind")) throw Error(Errc::kFormat, "kind is missing");
  Reader(object, true)(Field{"kind"}, kind);
  if (kind.empty()) throw Error(Errc::kFormat, "kind is empty");
  if (!isKindOfRecord(kind)) kind.clear();  // a notice
  Event event;
  eachRecordType([&]<class Record>() {
    if (Record::kName.kind == kind) describe(Reader(object, !kind.empty()), event.emplace<Record>());
  });
  return event;
}

std::string toLine(const Event& event) {
  return std::visit([](const auto& record) { return dumped(lineOf(record)); }, event);
}

Event parseEvent(std::string_view line) {
  std::string reason;
  std::vector<Finding> findings;
  if (const std::optional<Json> object = parseJson(line, findings)) {
    try {
      return readEvent(*object);
    } catch (const Error& error) {
      reason = error.what();
    }
  } else {
    reason = strCat(findings[0].pointer, findings[0].pointer.empty() ? "" : " ", findings[0].message);
  }
  throw Error(Errc::kFormat, strCat("event line \"", quotable(line, 80), "\": ", reason));
}

double unixNow() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace paceline
