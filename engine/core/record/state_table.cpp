#include "engine/core/record/state_table.h"

#include <bit>
#include <cstring>

#include "engine/core/base/hash.h"

namespace paceline {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory");

constexpr std::string_view kMagic = "PACELNCK";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHashLength = 64, kMaxText = 4096;

const char* nameOf(ElementType type) {
  constexpr const char* kNames[] = {"", "float", "double", "word", "integer"};
  return kNames[static_cast<std::size_t>(type)];
}

template <class T>
void append(std::string& out, T value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

void appendText(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint16_t>(text.size()));
  out += text;
}

// Takes pieces off the front; asking for more than there is left is the file's fault.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  std::string_view take(std::uint64_t count, const char* what) {
    if (count > rest_.size()) throw Error(Errc::kFormat, strCat("it ends within ", what));
    const std::string_view piece = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return piece;
  }
  template <class T>
  T number(const char* what) {
    T value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  std::string text(const char* what) {
    const auto length = number<std::uint16_t>(what);
    if (length > kMaxText) throw Error(Errc::kFormat, strCat(what, " has ", length, " characters"));
    return std::string(take(length, what));
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

std::size_t StateTable::bytes() const {
  std::size_t sum = 0;
  for (const auto& [name, array] : arrays) sum += array.bytes.size();
  return sum;
}

void StateTable::put(std::string_view name, ElementType type, const void* data, std::size_t bytes) {
  std::string copy(bytes, '\0');
  if (bytes > 0) std::memcpy(copy.data(), data, bytes);
  PACELINE_CHECK(name.size() <= kMaxText, "the name of an array in a checkpoint");
  const bool isNew = arrays.emplace(std::string(name), Array{type, std::move(copy)}).second;
  PACELINE_CHECK(isNew, strCat("\"", name, "\" is saved twice in one checkpoint"));
}

const std::string& StateTable::at(std::string_view name, ElementType type) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Error(Errc::kFormat, strCat("the checkpoint has no \"", name, "\""));
  if (found->second.type != type)
    throw Error(Errc::kFormat, strCat("\"", name, "\" in the checkpoint is of type ", nameOf(found->second.type), ", not ", nameOf(type)));
  return found->second.bytes;
}

void StateReader::items(std::string_view name, ElementType type, void* values, std::size_t count) {
  const std::string& bytes = table_.at(name, type);
  read_.emplace(name);
  if (bytes.size() != count * sizeOf(type))
    throw Error(Errc::kFormat, strCat("\"", name, "\" has ", bytes.size() / sizeOf(type), " elements in the checkpoint, ", count, " here"));
  if (count > 0) std::memcpy(values, bytes.data(), bytes.size());
}

void StateReader::finish() const {
  for (const auto& [name, array] : table_.arrays)
    if (!read_.contains(name)) throw Error(Errc::kFormat, strCat("the checkpoint has \"", name, "\", which nothing here takes"));
}

std::string stateConfig(const RunSpec& spec) {
  RunSpec bare = spec;
  const int evaluator = spec.evaluatorNode();
  bare.evaluate = {.everyRounds = 1, .on = evaluator < 0 ? "" : spec.nodes[static_cast<std::size_t>(evaluator)].id, .source = "auto"};
  bare.stop = {.rounds = 1, .seconds = {}, .samples = {}, .accuracy = {}};
  bare.checkpointEveryRounds = 0;
  bare.nodeSilentSeconds = RunSpec{}.nodeSilentSeconds;
  for (NodeSpec& node : bare.nodes) {
    node.host = "local";
    node.device = "cpu";
    node.threads = 1;
  }
  return configHash(bare);
}

std::string stateBytes(const StateOwner& owner, std::int64_t round, const StateTable& table) {
  std::string out(kMagic);
  out.reserve(table.bytes() + 4096);
  append(out, kVersion);
  appendText(out, owner.node);
  appendText(out, owner.config);
  append(out, round);
  append(out, static_cast<std::uint32_t>(table.arrays.size()));
  for (const auto& [name, array] : table.arrays) {
    appendText(out, name);
    append(out, static_cast<std::uint8_t>(array.type));
    append(out, static_cast<std::uint64_t>(array.bytes.size() / sizeOf(array.type)));
    out += array.bytes;
  }
  return out += sha256Hex(out);
}

SavedState parseState(std::string_view bytes) {
  if (bytes.size() < kMagic.size() + kHashLength || !bytes.starts_with(kMagic)) throw Error(Errc::kFormat, "it is no checkpoint");
  const std::string_view content = bytes.substr(0, bytes.size() - kHashLength);
  if (sha256Hex(content) != bytes.substr(content.size())) throw Error(Errc::kFormat, "its SHA-256 is not that of its content");
  Bytes rest(content.substr(kMagic.size()));
  if (const auto version = rest.number<std::uint32_t>("its version"); version != kVersion)
    throw Error(Errc::kFormat, strCat("its form has version ", version, ", this program reads ", kVersion));
  SavedState saved;
  saved.owner.node = rest.text("its node");
  saved.owner.config = rest.text("its configuration");
  saved.round = rest.number<std::int64_t>("its round");
  for (auto left = rest.number<std::uint32_t>("its table"); left > 0; --left) {
    std::string name = rest.text("an array's name");
    const auto type = rest.number<std::uint8_t>("an array's type");
    if (type < 1 || type > 4) throw Error(Errc::kFormat, strCat("array \"", name, "\" has type ", static_cast<int>(type)));
    StateTable::Array array{.type = static_cast<ElementType>(type), .bytes = {}};
    const auto count = rest.number<std::uint64_t>("an array's length");
    if (count > content.size()) throw Error(Errc::kFormat, strCat("array \"", name, "\" has ", count, " elements, more than the file holds"));
    array.bytes = rest.take(count * sizeOf(array.type), "an array");
    if (!saved.table.arrays.emplace(name, std::move(array)).second) throw Error(Errc::kFormat, strCat("array \"", name, "\" is there twice"));
  }
  if (!rest.empty()) throw Error(Errc::kFormat, "it goes on behind its last array");
  return saved;
}

}  // namespace paceline
