#include "engine/core/json/json_text.h"

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
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

// position: bytes read so far, the last one is the culprit. next(): the byte behind, from the beginning; negative: the end.
template <class Next>
std::string placeOf(std::size_t position, Next next) {
  std::size_t line = 1, column = 1;
  for (std::size_t at = 1; at < position; ++at) {
    const int byte = next();
    if (byte < 0) break;
    if (byte == '\n') ++line, column = 1;
    else ++column;
  }
  return strCat("line ", line, ", column ", column);
}

// The bytes of a file, and no more than maxBytes from one value to the next: the parser keeps the text that it is reading.
struct FileBytes {
  std::FILE* file;
  std::size_t maxBytes, left = maxBytes;

  int next() { return left == 0 ? EOF : (--left, std::fgetc(file)); }
};

class FileByte {  // an input iterator; default: the end
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  FileByte() = default;
  explicit FileByte(FileBytes& bytes) : bytes_(&bytes), now_(bytes.next()) {}
  char operator*() const { return static_cast<char>(now_); }
  FileByte& operator++() {
    now_ = bytes_->next();
    return *this;
  }
  bool operator==(const FileByte& other) const { return now_ == other.now_; }

 private:
  FileBytes* bytes_ = nullptr;
  int now_ = EOF;
};

// Builds the document while nlohmann's parser reads it; returning false ends the reading.
template <class J>
class Builder {
 public:
  using PlaceOf = std::function<std::string(std::size_t position)>;

  Builder(PlaceOf placeAt, std::vector<Finding>& findings) : placeAt_(std::move(placeAt)), findings_(findings) {}
  Builder(PlaceOf placeAt, std::vector<Finding>& findings, const JsonParts& parts, FileBytes& file) : placeAt_(std::move(placeAt)), findings_(findings), parts_(&parts), file_(&file) {}

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
    return keeps(0);
  }

  bool parse_error(std::size_t position, const std::string& lastRead, const nlohmann::detail::exception& error) {
    if (file_ != nullptr && file_->left == 0) return refuseSize();
    return refuse("", strCat("is not JSON: ", placeAt_(position), ": ", reasonOf(error.what(), lastRead)));
  }

  J take() { return std::move(root_); }

 private:
  struct Level {
    J* container;
    std::string key;  // the member being read
    std::unordered_set<std::string> names{};  // of a large object that keeps the order of its members: looking through them takes long
    std::size_t taken = 0;                    // elements of a list that were not kept
    std::size_t bytesBefore = 0;
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
    const J* placed = place(std::forward<Value>(value));
    return keeps(sizeof(J) + (placed->is_string() ? placed->template get_ref<const std::string&>().size() : 0) + (levels_.empty() ? 0 : levels_.back().key.size()));
  }

  // With parts: so many bytes more are kept.
  bool keeps(std::size_t bytes) {
    if (file_ == nullptr) return true;
    file_->left = file_->maxBytes;
    bytes_ += bytes;
    return bytes_ <= file_->maxBytes || refuseSize();
  }

  bool open(J empty) {
    if (levels_.size() == kMaxJsonDepth) return refuse("", strCat("is nested deeper than ", kMaxJsonDepth, " levels"));
    const std::size_t key = levels_.empty() ? 0 : levels_.back().key.size();
    levels_.push_back({.container = place(std::move(empty)), .key = {}, .bytesBefore = bytes_});
    return keeps(sizeof(J) + key);
  }

  bool close() {
    const std::size_t bytesBefore = levels_.back().bytesBefore;
    levels_.pop_back();
    if constexpr (std::same_as<J, OrderedJson>)
      if (parts_ != nullptr && handedOver()) bytes_ = bytesBefore;
    return keeps(0);
  }

  // The container that was closed last is a document, or an element of a list in one, and was taken.
  bool handedOver() {
    if (levels_.empty()) {
      if (root_.is_object()) parts_->document(root_);
      return false;
    }
    const std::size_t first = levels_.front().container->is_array() ? 1 : 0;  // the level of documents
    Level& list = levels_.back();
    if (!list.container->is_array() || !list.container->back().is_object()) return false;
    if (levels_.size() == first) parts_->document(list.container->back());
    else if (levels_.size() != first + 2 || !levels_[first].container->is_object() ||
             !parts_->element(*levels_[first].container, levels_[first].key, std::move(list.container->back())))
      return false;
    list.container->template get_ref<typename J::array_t&>().pop_back();
    ++list.taken;
    return true;
  }

  bool refuse(std::string pointer, std::string message) {
    findings_.push_back({std::move(pointer), std::move(message)});
    return false;
  }

  bool refuseSize() { return refuse("", strCat("has more than ", bytesText(static_cast<std::int64_t>(file_->maxBytes)), " beside its lists of records")); }

  std::string pointer(std::size_t depth) const {  // of the container at that depth
    std::string path;
    for (std::size_t i = 0; i < depth; ++i) {
      const Level& level = levels_[i];
      path = level.container->is_array() ? pointerTo(path, level.taken + level.container->size() - 1) : pointerTo(path, level.key);
    }
    return path;
  }

  PlaceOf placeAt_;
  std::vector<Finding>& findings_;
  const JsonParts* parts_ = nullptr;
  FileBytes* file_ = nullptr;  // with parts
  std::size_t bytes_ = 0;      // of what is kept, with parts
  std::vector<Level> levels_;
  J root_;
};

template <class J>
std::optional<J> parsed(std::string_view text, std::vector<Finding>& findings, std::size_t maxBytes) {
  if (text.size() > maxBytes) {
    findings.push_back({"", strCat("has ", bytesText(static_cast<std::int64_t>(text.size())), "; at most ", bytesText(static_cast<std::int64_t>(maxBytes)), " are read")});
    return std::nullopt;
  }
  const auto placeAt = [text](std::size_t position) {
    return placeOf(position, [at = std::size_t{0}, text]() mutable { return at < text.size() ? static_cast<unsigned char>(text[at++]) : -1; });
  };
  Builder<J> builder(placeAt, findings);
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

bool readJsonParts(const std::string& path, const JsonParts& parts, std::vector<Finding>& findings, std::size_t maxBytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(path.c_str(), "rbe"), std::fclose);
  std::FILE* const file = opened.get();
  const auto refuseUnread = [&] { throw Error(Errc::kFile, strCat(path, ": cannot be read: ", std::strerror(errno))); };
  if (file == nullptr) refuseUnread();
  const auto placeAt = [&](std::size_t position) {
    if (std::ferror(file) != 0) refuseUnread();
    std::rewind(file);
    return placeOf(position, [file] { return std::fgetc(file); });
  };
  FileBytes bytes{.file = file, .maxBytes = maxBytes};
  Builder<OrderedJson> builder(placeAt, findings, parts, bytes);
  const bool whole = OrderedJson::sax_parse(FileByte(bytes), FileByte(), &builder);
  if (!whole) return false;
  const OrderedJson rest = builder.take();
  if (rest.is_array()) std::ranges::for_each(rest, parts.document);
  else if (!rest.is_object()) parts.document(rest);
  return true;
}

Json jsonOrNull(std::string_view text) {
  std::vector<Finding> ignored;
  return parsed<Json>(text, ignored, kMaxJsonBytes).value_or(Json());
}

}  // namespace paceline
