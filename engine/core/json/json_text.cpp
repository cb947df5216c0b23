#include "engine/core/json/json_text.h"

#include <algorithm>
#include <concepts>
#include <unordered_set>

namespace paceline {
namespace {

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {  // "": not there
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  return text.substr(0, text.find(after));
}

// nlohmann names its tokens and what the parser was reading; said in our words.
std::string tokenText(std::string_view token) {
  if (token == "end of input") return "the end of the text";
  if (token == "string literal") return "a text in quotes";
  if (token == "number literal") return "a number";
  return std::string(token);
}

std::string wantedText(std::string_view expected) {  // of a value it lists every beginning
  if (expected.empty() || expected.starts_with("'['")) return "a value";
  if (expected == "']'" || expected == "'}'") return strCat("',' or ", expected);
  return expected == "end of input" ? "nothing more" : tokenText(expected);
}

// "...: syntax error while parsing value - unexpected '}'; expected ..." -> "a value is expected, not '}'"
std::string reasonOf(std::string_view what, std::string_view lastRead) {
  if (what.starts_with("[json.exception.out_of_range")) return strCat(quotable(lastRead, 40), " is beyond the range of numbers");
  const std::string_view said = between(what, " - ", "\n");
  if (!said.starts_with("unexpected "))  // the characters themselves are wrong, and in the sentence
    return strCat(quotable(said.substr(0, said.find("; last read")), 120), ", read: ", quotable(lastRead.substr(lastRead.size() - std::min<std::size_t>(lastRead.size(), 20))));
  return strCat(wantedText(between(said, "; expected ", "\n")), " is expected, not ", tokenText(between(said, "unexpected ", "; expected ")));
}

std::string placeOf(std::string_view text, std::size_t position) {  // position: bytes read so far, the last one is the culprit
  const std::string_view before = text.substr(0, position == 0 ? 0 : std::min(position - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? before.size() + 1 : before.size() - newline;
  return strCat("line ", line, ", column ", column);
}

// Builds the document while nlohmann's parser reads it; returning false ends the reading.
template <class J>
class Builder {
 public:
  Builder(std::string_view text, std::vector<Finding>& findings) : text_(text), findings_(findings) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(typename J::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(J::object()); }
  bool start_array(std::size_t) { return open(J::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    if (occurs(level, name)) return refuse(pointerTo(pointer(levels_.size() - 1), name), "occurs twice");
    level.key = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& lastRead, const nlohmann::detail::exception& error) {
    return refuse("", strCat("is not JSON: ", placeOf(text_, position), ": ", reasonOf(error.what(), lastRead)));
  }

  J take() { return std::move(root_); }

 private:
  struct Level {
    J* container;
    std::string key;  // the member being read
    std::unordered_set<std::string> names{};  // of a large object that keeps the order of its members: looking through them takes long
  };

  bool occurs(Level& level, const std::string& name) const {
    constexpr std::size_t kFew = 16;
    const auto& members = level.container->template get_ref<const typename J::object_t&>();
    if (!std::same_as<J, OrderedJson> || members.size() < kFew) return members.find(name) != members.end();
    if (level.names.empty())
      for (const auto& member : members) level.names.insert(member.first);
    return !level.names.insert(name).second;
  }

  template <class Value>
  J* place(Value&& value) {
    if (levels_.empty()) {
      root_ = J(std::forward<Value>(value));
      return &root_;
    }
    Level& level = levels_.back();
    if (level.container->is_array()) {
      level.container->push_back(J(std::forward<Value>(value)));
      return &level.container->back();
    }
    auto& members = level.container->template get_ref<typename J::object_t&>();
    if constexpr (std::same_as<J, OrderedJson>) {  // a vector: occurs() has seen that the name is new
      using Members = typename J::object_t::Container;
      return &static_cast<Members&>(members).emplace_back(level.key, J(std::forward<Value>(value))).second;
    } else {
      return &members.emplace(level.key, J(std::forward<Value>(value))).first->second;
    }
  }

  template <class Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  bool open(J empty) {
    if (levels_.size() == kMaxJsonDepth) return refuse("", strCat("is nested deeper than ", kMaxJsonDepth, " levels"));
    levels_.push_back({place(std::move(empty)), {}});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  bool refuse(std::string pointer, std::string message) {
    findings_.push_back({std::move(pointer), std::move(message)});
    return false;
  }

  std::string pointer(std::size_t depth) const {  // of the container at that depth
    std::string path;
    for (std::size_t i = 0; i < depth; ++i) {
      const Level& level = levels_[i];
      path = level.container->is_array() ? pointerTo(path, level.container->size() - 1) : pointerTo(path, level.key);
    }
    return path;
  }

  std::string_view text_;
  std::vector<Finding>& findings_;
  std::vector<Level> levels_;
  J root_;
};

template <class J>
std::optional<J> parsed(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes) {
  if (text.size() > maxBytes) {
    findings.push_back({"", strCat("has ", bytesText(static_cast<std::int64_t>(text.size())), "; at most ", bytesText(static_cast<std::int64_t>(maxBytes)), " are read")});
    return std::nullopt;
  }
  Builder<J> builder(text, findings);
  if (!J::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take();
}

template <class J>
J parsedFrom(std::string_view text, std::string_view source, std::size_t maxBytes) {
  std::vector<Finding> findings;
  if (auto json = parsed<J>(text, findings, maxBytes)) return *std::move(json);
  const Finding& why = findings.front();
  throw Error(Errc::kFormat, strCat(source, ": ", quotable(why.pointer, 200), why.pointer.empty() ? "" : " ", why.message));
}

}  // namespace

std::optional<Json> parseJson(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes) { return parsed<Json>(text, findings, maxBytes); }

std::optional<OrderedJson> parseOrderedJson(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes) {
  return parsed<OrderedJson>(text, findings, maxBytes);
}

Json jsonFrom(std::string_view text, std::string_view source, std::size_t maxBytes) { return parsedFrom<Json>(text, source, maxBytes); }

OrderedJson orderedJsonFrom(std::string_view text, std::string_view source, std::size_t maxBytes) { return parsedFrom<OrderedJson>(text, source, maxBytes); }

Json jsonOrNull(std::string_view text) {
  std::vector<Finding> ignored;
  return parsed<Json>(text, ignored, kMaxJsonBytes).value_or(Json());
}

}  // namespace paceline
