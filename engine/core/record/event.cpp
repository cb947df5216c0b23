#include "engine/core/record/event.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <span>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// Behind the text what dumped(jsonNumber(value)) is, to the byte, without a value made of it.
void appendNumber(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += dumped(jsonNumber(value));
    return;
  }
  char digits[64];
  text.append(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, value));
}

void appendNumber(std::string& text, std::int64_t value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

constexpr std::size_t kMostMembers = 48;  // of a record, "kind" among them

// Writes the members of a record as JSON: numbers without a tree of values in between, because every round of every worker is such a line.
class Writer {
 public:
  explicit Writer(bool emptyTexts) : emptyTexts_(emptyTexts) { text_.reserve(kUsualLine); }

  void operator()(const Field& field, double value) { number(field, value); }
  void operator()(const Field& field, std::int64_t value) { number(field, value); }
  void operator()(const Field& field, const std::optional<double>& value) {
    if (value) number(field, *value);
    else leaveOut();
  }
  void operator()(const Field& field, const std::string& value) {
    if (emptyTexts_ || !value.empty()) member(field, dumped(Json(value)));
    else leaveOut();
  }
  void operator()(const Field& field, const std::vector<std::int64_t>& value) { member(field, dumped(Json(value))); }

  void member(const Field& field, std::string_view json) {
    begin(field);
    text_ += json;
    end();
  }

  // The object, its members in this order of their places.
  std::string object(std::span<const std::size_t> order) const {
    std::string line;
    line.reserve(text_.size() + 2);  // a newline may follow
    line += '{';
    for (const std::size_t place : order) {
      const std::size_t from = place == 0 ? 0 : ends_[place - 1];
      line.append(text_, from, ends_[place] - from);
    }
    if (line.size() == 1) return "{}";
    line.back() = '}';
    return line;
  }

 private:
  static constexpr std::size_t kUsualLine = 640;

  template <class Value>
  void number(const Field& field, Value value) {
    begin(field);
    appendNumber(text_, value);
    end();
  }
  void begin(const Field& field) { ((text_ += '"') += field.key) += "\":"; }
  void end() {
    text_ += ',';
    leaveOut();
  }
  void leaveOut() { ends_[count_++] = text_.size(); }

  bool emptyTexts_;
  std::string text_;  // "key":value,"key":value,
  std::size_t count_ = 0;
  std::array<std::size_t, kMostMembers> ends_;  // of the members in text_
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

struct Keys {
  std::vector<std::string_view> keys;
  template <class Value>
  void operator()(const Field& field, const Value&) { keys.push_back(field.key); }
};

// The places of a record's members, "kind" before them, in the order of their keys.
template <class Record>
const std::vector<std::size_t>& orderOf() {
  static const std::vector<std::size_t> kOrder = [] {
    Keys all;
    if constexpr (!Record::kName.kind.empty()) all.keys.emplace_back("kind");
    const Record fresh{};
    describe(all, fresh);
    PACELINE_CHECK(all.keys.size() <= kMostMembers, Record::kName.list);
    std::vector<std::size_t> order(all.keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return all.keys[i]; });
    return order;
  }();
  return kOrder;
}

template <class Record>
std::string lineOf(const Record& record) {
  constexpr bool named = !Record::kName.kind.empty();  // else the record says its kind itself
  const std::vector<std::size_t>& order = orderOf<Record>();
  Writer writer(!named);
  if constexpr (named) {
    static const std::string kKind = dumped(Json(Record::kName.kind));
    writer.member({.key = "kind"}, kKind);
  } else {
    PACELINE_CHECK(!isKindOfRecord(record.kind), strCat("a notice cannot have the kind \"", record.kind, "\""));
  }
  describe(writer, record);
  return writer.object(order);
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
  return std::visit([](const auto& record) { return lineOf(record); }, event);
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
