// Text, a character after the other: what comes next? Of a file, or made from a seed where no file is named.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "engine/core/base/error.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/rng.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/data/datasets/dataset.h"

namespace paceline::datasets {
namespace {

constexpr std::size_t kMostText = std::size_t{1} << 30;

// Sentences of a small grammar: "the old machine counts a green train, and it waits." Each choice is equally likely.
std::string made(std::size_t length, std::uint64_t seed) {
  constexpr std::array kArticles{"the", "a", "this", "every"};
  constexpr std::array kAdjectives{"old", "slow", "quick", "green", "quiet", "second", "lonely", "round"};
  constexpr std::array kNouns{"machine", "train", "worker", "river", "letter", "clock", "garden", "road", "signal", "bridge"};
  constexpr std::array kVerbs{"counts", "follows", "carries", "forgets", "waits for", "answers", "measures", "finds"};
  constexpr std::array kEnds{".", ".", "?", ", and then it stops.", ", because it can."};
  Rng rng = Rng::stream(seed, "text", 0);
  const auto one = [&](const auto& words) { return std::string(words[rng.below(words.size())]); };
  const auto thing = [&] { return one(kArticles) + ' ' + (rng.below(2) == 0 ? one(kAdjectives) + ' ' : "") + one(kNouns); };
  std::string text;
  while (text.size() < length) text += thing() + ' ' + one(kVerbs) + ' ' + thing() + one(kEnds) + (rng.below(6) == 0 ? '\n' : ' ');
  text.resize(length);
  return text;
}

std::string textFor(const Params& params) {
  const PinnedFile file = pinnedFile(params.text("path"));
  if (file.path.empty()) return made(static_cast<std::size_t>(params.integer("length")), static_cast<std::uint64_t>(params.integer("text_seed")));
  if (!file.sha256.empty()) return bytesOf(file);
  const auto bytes = fileText(file.path, kMostText);
  if (!bytes) throw Error(Errc::kFile, strCat(file.path, ": cannot be read: ", std::strerror(errno)));
  return *bytes;
}

// Places of `length` characters, each followed by the one that is its target. They do not overlap.
class TextRows final : public Rows {
 public:
  TextRows(std::shared_ptr<const std::vector<std::uint8_t>> symbols, std::size_t from, std::size_t length) : symbols_(std::move(symbols)), from_(from), length_(length) {}
  void input(std::size_t index, void* to) const override { copy(index, 0, to); }
  void target(std::size_t index, void* to) const override { copy(index, 1, to); }

 private:
  void copy(std::size_t index, std::size_t shift, void* to) const {
    const auto begin = symbols_->begin() + static_cast<std::ptrdiff_t>(from_ + index * length_ + shift);
    std::copy(begin, begin + static_cast<std::ptrdiff_t>(length_), static_cast<std::int64_t*>(to));
  }

  std::shared_ptr<const std::vector<std::uint8_t>> symbols_;
  std::size_t from_, length_;
};

Dataset loadedText(const Params& params) {
  const std::string text = textFor(params);
  const auto length = static_cast<std::size_t>(params.integer("sequence"));
  const std::string name = params.text("path").empty() ? "the text" : pinnedFile(params.text("path")).path;
  std::array<int, 256> number{};
  number.fill(-1);
  for (const char c : text) number[static_cast<unsigned char>(c)] = 0;
  int symbols = 0;
  for (int& one : number)
    if (one == 0) one = symbols++;
  auto numbers = std::make_shared<std::vector<std::uint8_t>>(text.size());
  std::ranges::transform(text, numbers->begin(), [&](char c) { return static_cast<std::uint8_t>(number[static_cast<unsigned char>(c)]); });
  const auto cut = static_cast<std::size_t>(static_cast<double>(text.size()) * (1 - params.real("test_fraction")));
  const auto rows = [&](std::size_t bytes) { return bytes <= length ? 0 : (bytes - 1) / length; };
  const std::size_t train = rows(cut), test = rows(text.size() - cut);
  if (train == 0 || test == 0)
    throw Error(Errc::kData, strCat(name, " has ", text.size(), " characters: too few for sequences of ", length, " to train and, from its last ", text.size() - cut, ", to test"));
  Dataset data;
  data.classes = symbols;
  data.hasClasses = false;
  data.shape = data.stored = {.channels = 1, .height = 1, .width = static_cast<int>(length)};
  data.form = {.input = {static_cast<std::int64_t>(length)}, .inputType = Element::kInteger, .target = {static_cast<std::int64_t>(length)}, .targetType = Element::kInteger};
  data.train.labels.resize(train), data.test.labels.resize(test);
  data.train.rows = std::make_shared<TextRows>(numbers, 0, length);
  data.test.rows = std::make_shared<TextRows>(numbers, cut, length);
  return data;
}

}  // namespace

DatasetDef text_characters() {
  DatasetDef def;
  def.id = "text_characters";
  def.title = "Text, character by character";
  def.summary = "The next character of a text, at every place of a sequence. Of a file, or of sentences that are made from a seed. Its last part is the test set.";
  def.params = {
      fileParam("path", "A text file; empty: sentences are made. A file of up to 256 MB travels with the run; a larger one must be there on every host."),
      integerParam("sequence", 64, 2, 8192, "Characters of a sample."),
      advanced(integerParam("length", 200000, 1000, 100000000, "Characters that are made where no file is named.")),
      advanced(integerParam({"text_seed", "Seed of the text"}, 1, 0, 1000000000, "Makes those.")),
      advanced(realParam({"test_fraction", "Test fraction"}, 0.1, 0.001, 0.9, "Of the text, its end.")),
  };
  def.shape = {.channels = 0, .height = 0, .width = 0};
  def.classes = 0;
  def.tokens = true;
  def.locate = [](const Params& params) {
    const PinnedFile file = pinnedFile(params.text("path"));
    if (file.path.empty()) return std::string(kBuiltIn);
    return file.path.ends_with(".txt") ? file.path : std::string();  // what lies there could be anything else
  };
  def.load = [](const Params& params, std::uint64_t) { return loadedText(params); };
  return def;
}

}  // namespace paceline::datasets
