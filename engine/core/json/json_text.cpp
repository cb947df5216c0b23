#include "engine/core/json/json_text.h"

#include <algorithm>

namespace paceline {
namespace {

// "[json.exception.parse_error.101] parse error at line 1, column 2: what" -> "what"
std::string reasonOf(const std::string& what) {
  std::size_t at = what.find("] ");
  at = at == std::string::npos ? 0 : at + 2;
  if (what.compare(at, 11, "parse error") == 0) {
    const std::size_t colon = what.find(": ", at);
    if (colon != std::string::npos) at = colon + 2;
  }
  return quotable(std::string_view(what).substr(at), 160);
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
    if (level.container->contains(name)) return refuse(pointerTo(pointer(levels_.size() - 1), name), "occurs twice");
    level.key = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    return refuse("", strCat("is not JSON: ", placeOf(text_, position), ": ", reasonOf(error.what())));
  }

  J take() { return std::move(root_); }

 private:
  struct Level {
    J* container;
    std::string key;  // the member being read
  };

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
    return &members.emplace(level.key, J(std::forward<Value>(value))).first->second;
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
std::optional<J> parsed(std::string_view text, std::vector<Finding>& findings) {
  Builder<J> builder(text, findings);
  if (!J::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take();
}

}  // namespace

std::optional<Json> parseJson(std::string_view text, std::vector<Finding>& findings) { return parsed<Json>(text, findings); }

std::optional<OrderedJson> parseOrderedJson(std::string_view text, std::vector<Finding>& findings) {
  return parsed<OrderedJson>(text, findings);
}

}  // namespace paceline
