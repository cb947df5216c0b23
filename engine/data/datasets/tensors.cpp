// Arrays of any shape, for the user's own data: inputs and targets of .npz, .npy, safetensors or CSV files.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/data/datasets/dataset.h"
#include "engine/data/formats/arrays.h"

namespace paceline::datasets {
namespace {

using formats::Array;

std::size_t rowsOf(const Array& array) { return array.dims.empty() ? 0 : static_cast<std::size_t>(array.dims.front()); }
std::size_t rowSize(const Array& array) { return rowsOf(array) == 0 ? 0 : array.elements() / rowsOf(array); }
std::vector<std::int64_t> rowDims(const Array& array) {
  if (array.dims.size() <= 1) return {1};
  return {array.dims.begin() + 1, array.dims.end()};
}

std::string shown(const std::vector<std::int64_t>& dims) {
  std::string text;
  for (const std::int64_t size : dims) text += strCat(text.empty() ? "" : "x", size);
  return text.empty() ? "one number" : text;
}

std::string namesOf(const std::vector<Array>& arrays) {
  std::vector<std::string> names;
  for (const Array& array : arrays) names.push_back(array.name);
  return listed(names);
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string word = trimmedEnd(text.substr(at, end - at));
    word.erase(0, std::min(word.size(), word.find_first_not_of(' ')));
    if (!word.empty()) found.push_back(std::move(word));
    at = end + 1;
  }
  return found;
}

// One array per split, by the name that is asked for. Several names are columns: one array of as many numbers a row.
class Source {
 public:
  explicit Source(std::string path) : path_(std::move(path)), arrays_(formats::arraysIn(path_)) {}

  const Array* find(const std::string& name) const {
    const auto found = std::ranges::find(arrays_, name, &Array::name);
    return found == arrays_.end() ? nullptr : &*found;
  }

  Array take(const std::vector<std::string>& names, const char* what) const {
    if (names.empty()) throw Error(Errc::kSpec, strCat("/dataset/params/", what, ": must name an array"));
    for (const std::string& name : names)
      if (!find(name)) throw Error(Errc::kData, strCat(path_, " has no array \"", quotable(name), "\" (/dataset/params/", what, "); it has ", namesOf(arrays_)));
    return names.size() == 1 ? *find(names.front()) : joined(names);
  }

  std::vector<std::string> othersThan(const std::vector<std::string>& names) const {
    std::vector<std::string> others;
    for (const Array& array : arrays_)
      if (std::ranges::find(names, array.name) == names.end()) others.push_back(array.name);
    return others;
  }

 private:
  Array joined(const std::vector<std::string>& names) const {
    const std::size_t rows = rowsOf(*find(names.front()));
    for (const std::string& name : names)
      if (find(name)->dims != std::vector<std::int64_t>{static_cast<std::int64_t>(rows)})
        throw Error(Errc::kData, strCat(find(name)->source, ": columns that are joined must be of one dimension and ", rows, " numbers, it is ", shown(find(name)->dims)));
    auto values = std::make_shared<std::vector<float>>(rows * names.size());
    for (std::size_t column = 0; column < names.size(); ++column)
      for (std::size_t row = 0; row < rows; ++row) (*values)[row * names.size() + column] = static_cast<float>(find(names[column])->real(row));
    return {.name = names.front(), .source = strCat(path_, ": ", listed(names)), .type = formats::ArrayType::kFloat32,
            .dims = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(names.size())}, .data = reinterpret_cast<const std::byte*>(values->data()), .memory = values};
  }

  std::string path_;
  std::vector<Array> arrays_;
};

// Where it lies here, with the content that the document names.
std::string pathOf(const std::string& named) {
  const PinnedFile file = pinnedFile(named);
  std::string path = pathHere(file);
  if (!file.sha256.empty()) requireContent(file, path);
  return path;
}

struct Pair {
  Array inputs, targets;
};
struct Splits {
  Pair train;
  std::optional<Pair> test;  // none: a fraction of the other
};

std::vector<std::string> withEnding(std::vector<std::string> names, const char* ending) {
  for (std::string& name : names) name += ending;
  return names;
}

Splits splitsOf(const Params& params) {
  const std::vector<std::string> targets = words(params.text("targets"));
  std::vector<std::string> inputs = words(params.text("inputs"));
  const auto pairOf = [&](const Source& source, const char* ending) {
    const bool ends = source.find(targets.empty() ? "" : targets.front() + ending) != nullptr;
    const auto named = [&](const std::vector<std::string>& names) { return ends ? withEnding(names, ending) : names; };
    const std::vector<std::string> from = inputs == std::vector<std::string>{"*"} ? source.othersThan(named(targets)) : named(inputs);
    return Pair{source.take(from, "inputs"), source.take(named(targets), "targets")};
  };
  const Source source(pathOf(params.text("path")));
  Splits splits{.train = pairOf(source, "_train"), .test = {}};
  if (const std::string& path = params.text("test_path"); !path.empty()) splits.test = pairOf(Source(pathOf(path)), "_test");
  else if (!targets.empty() && source.find(targets.front() + "_test")) splits.test = pairOf(source, "_test");
  return splits;
}

void checkPair(const Pair& pair, const Pair& like) {
  if (rowsOf(pair.inputs) == 0) throw Error(Errc::kData, strCat(pair.inputs.source, " has no rows"));
  if (rowsOf(pair.inputs) != rowsOf(pair.targets))
    throw Error(Errc::kData, strCat(pair.inputs.source, " has ", rowsOf(pair.inputs), " rows, ", pair.targets.source, " has ", rowsOf(pair.targets)));
  for (const auto& [mine, other] : {std::pair{&pair.inputs, &like.inputs}, std::pair{&pair.targets, &like.targets}})
    if (rowDims(*mine) != rowDims(*other) || isWhole(mine->type) != isWhole(other->type))
      throw Error(Errc::kData, strCat(mine->source, " has rows of ", shown(rowDims(*mine)), " ", arrayTypeName(mine->type), ", ", other->source, " of ", shown(rowDims(*other)), " ",
                                      arrayTypeName(other->type)));
}

enum class Task { kClasses, kNumbers, kSequence };

Task taskOf(const Params& params, const Pair& train) {
  const std::string& asked = params.text("task");
  const bool whole = isWhole(train.targets.type), one = rowSize(train.targets) == 1;
  if (asked != "regression" && !whole) {
    if (asked == "auto") return Task::kNumbers;
    throw Error(Errc::kData, strCat(train.targets.source, " is ", arrayTypeName(train.targets.type), "; targets of ", asked, " are whole numbers"));
  }
  if (asked == "classification" && !one) throw Error(Errc::kData, strCat(train.targets.source, " has rows of ", shown(rowDims(train.targets)), "; a class is one whole number"));
  if (asked == "regression") return Task::kNumbers;
  return one && asked != "sequence" ? Task::kClasses : Task::kSequence;
}

// The largest whole number; each must be at least 0 and below `limit` (0: none).
std::int64_t largest(const Array& array, std::int64_t limit) {
  std::int64_t most = 0;
  const std::size_t count = array.elements(), width = rowSize(array);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t value = array.whole(i);
    if (value < 0 || (limit > 0 && value >= limit) || value >= kMostClasses)
      throw Error(Errc::kData, strCat(array.source, ": row ", i / width, " has ", value, "; it must be from 0 to ", (limit > 0 ? limit : kMostClasses) - 1));
    most = std::max(most, value);
  }
  return most;
}

void requireFinite(const Array& array) {
  for (std::size_t i = 0; i < array.elements(); ++i)
    if (!std::isfinite(array.real(i))) throw Error(Errc::kData, strCat(array.source, ": row ", i / rowSize(array), " has ", array.real(i), ", which is no target"));
}

struct Scaling {
  std::vector<float> mean, factor;  // one per number of a row; empty: as it is
};

Scaling standardised(const Array& inputs, std::span<const std::uint32_t> rows) {
  const std::size_t width = rowSize(inputs);
  std::vector<double> sums(width), squares(width);
  for (const std::uint32_t row : rows)
    for (std::size_t i = 0; i < width; ++i) sums[i] += inputs.real(row * width + i);
  for (double& sum : sums) sum /= static_cast<double>(rows.size());
  for (const std::uint32_t row : rows)
    for (std::size_t i = 0; i < width; ++i) squares[i] += std::pow(inputs.real(row * width + i) - sums[i], 2);
  Scaling scaling;
  for (std::size_t i = 0; i < width; ++i) {
    const double deviation = std::sqrt(squares[i] / static_cast<double>(rows.size()));
    scaling.mean.push_back(static_cast<float>(sums[i])), scaling.factor.push_back(deviation > 0 ? static_cast<float>(1 / deviation) : 1.0F);
  }
  return scaling;
}

// Rows of one pair of arrays, in an order of their own.
class ArrayRows final : public Rows {
 public:
  ArrayRows(Pair pair, std::vector<std::uint32_t> order, const SampleForm& form, Scaling scaling)
      : pair_(std::move(pair)), order_(std::move(order)), form_(form), scaling_(std::move(scaling)) {}

  void input(std::size_t index, void* to) const override {
    const Array& from = pair_.inputs;
    copy(from, order_[index], form_.inputType, from.type == formats::ArrayType::kUint8 ? 255.0F : 1.0F, to);
    if (scaling_.mean.empty()) return;
    auto* values = static_cast<float*>(to);
    for (std::size_t i = 0; i < scaling_.mean.size(); ++i) values[i] = (values[i] - scaling_.mean[i]) * scaling_.factor[i];
  }
  void target(std::size_t index, void* to) const override { copy(pair_.targets, order_[index], form_.targetType, 1, to); }

 private:
  static void copy(const Array& from, std::size_t row, Element as, float divisor, void* to) {
    const std::size_t width = rowSize(from), first = row * width;
    if (as == Element::kInteger) {
      auto* values = static_cast<std::int64_t*>(to);
      for (std::size_t i = 0; i < width; ++i) values[i] = from.whole(first + i);
    } else if (from.type == formats::ArrayType::kFloat32) {
      std::memcpy(to, from.data + first * sizeof(float), width * sizeof(float));
    } else {
      auto* values = static_cast<float*>(to);
      for (std::size_t i = 0; i < width; ++i) values[i] = static_cast<float>(from.real(first + i)) / divisor;
    }
  }

  Pair pair_;
  std::vector<std::uint32_t> order_;
  SampleForm form_;
  Scaling scaling_;
};

// Pictures in a row of numbers, a plane, or channels of planes; what has more dimensions is a row.
Shape shapeFor(const std::vector<std::int64_t>& dims, const std::string& source) {
  double all = 1;
  for (const std::int64_t size : dims) all *= static_cast<double>(size);
  if (!(all >= 1) || all > 2e9) throw Error(Errc::kData, strCat(source, " has rows of ", shown(dims), ", which are no samples"));
  const auto at = [&](std::size_t i) { return static_cast<int>(dims[i]); };
  if (dims.size() == 3) return {.channels = at(0), .height = at(1), .width = at(2)};
  if (dims.size() == 2) return {.channels = 1, .height = at(0), .width = at(1)};
  return {.channels = 1, .height = 1, .width = static_cast<int>(all)};
}

std::vector<std::uint32_t> rowOrder(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

Images imagesOf(const Pair& pair, std::vector<std::uint32_t> rows, const SampleForm& form, const Scaling& scaling, bool classes) {
  Images images;
  images.labels.resize(rows.size());
  for (std::size_t i = 0; classes && i < rows.size(); ++i) images.labels[i] = static_cast<std::uint16_t>(pair.targets.whole(rows[i]));
  images.rows = std::make_shared<ArrayRows>(pair, std::move(rows), form, scaling);
  return images;
}

Dataset loaded(const Params& params) {
  const std::string& path = params.text("path");
  if (path.empty()) throw Error(Errc::kData, "dataset \"tensors\": /dataset/params/path must name a file or a folder");
  const Splits splits = splitsOf(params);
  checkPair(splits.train, splits.train);
  if (splits.test) checkPair(*splits.test, splits.train);
  const Pair& train = splits.train;
  const Pair& test = splits.test ? *splits.test : splits.train;
  const Task task = taskOf(params, train);

  Dataset data;
  const bool tokens = isWhole(train.inputs.type) && train.inputs.type != formats::ArrayType::kUint8 && params.text("inputs_as") != "numbers";
  data.form = {.input = rowDims(train.inputs), .inputType = tokens ? Element::kInteger : Element::kFloat, .target = {}, .targetType = Element::kInteger};
  data.shape = data.stored = shapeFor(data.form.input, train.inputs.source);
  data.hasClasses = task == Task::kClasses;
  if (task == Task::kNumbers) {
    data.form.target = rowDims(train.targets), data.form.targetType = Element::kFloat;
    data.classes = static_cast<int>(rowSize(train.targets));
    requireFinite(train.targets), requireFinite(test.targets);
  } else {
    const std::int64_t limit = params.integer("classes");
    data.classes = static_cast<int>(limit > 0 ? limit : std::max(largest(train.targets, 0), largest(test.targets, 0)) + 1);
    largest(train.targets, limit), largest(test.targets, limit);
    if (task == Task::kSequence) {
      data.form.target = rowDims(train.targets);
      if (tokens && limit == 0) data.classes = std::max(data.classes, static_cast<int>(std::max(largest(train.inputs, 0), largest(test.inputs, 0)) + 1));
    }
  }
  std::vector<std::uint32_t> rows = rowOrder(rowsOf(train.inputs)), testRows = rowOrder(rowsOf(test.inputs));
  if (!splits.test) {
    Rng::stream(static_cast<std::uint64_t>(params.integer("split_seed")), "tensors split", 0).shuffle(std::span<std::uint32_t>(rows));
    const auto tested = static_cast<std::size_t>(std::llround(params.real("test_fraction") * static_cast<double>(rows.size())));
    if (tested == 0 || tested >= rows.size())
      throw Error(Errc::kData, strCat(train.inputs.source, ": a fraction of ", params.real("test_fraction"), " of ", rows.size(), " rows leaves ", tested, " to test and ", rows.size() - tested, " to train"));
    testRows.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(tested));
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(tested));
    std::ranges::sort(rows), std::ranges::sort(testRows);
  }
  const Scaling scaling = params.boolean("standardise") && !tokens ? standardised(train.inputs, rows) : Scaling{};
  data.train = imagesOf(train, std::move(rows), data.form, scaling, data.hasClasses);
  data.test = imagesOf(test, std::move(testRows), data.form, scaling, data.hasClasses);
  return data;
}

// "x_train: 3000 of 1x28x28 float32, -1.2 to 3.4; 2 are no numbers"
std::string described(const Array& array) {
  double least = INFINITY, most = -INFINITY;
  std::size_t none = 0;
  for (std::size_t i = 0; i < array.elements(); ++i) {
    const double value = array.real(i);
    if (!std::isfinite(value)) ++none;
    else least = std::min(least, value), most = std::max(most, value);
  }
  std::string text = strCat(array.name, ": ", rowsOf(array), " of ", shown(rowDims(array)), " ", arrayTypeName(array.type));
  if (least <= most) text += strCat(", ", least, " to ", most);
  return none == 0 ? text : strCat(text, "; ", none, none == 1 ? " is no number" : " are no numbers");
}

std::vector<std::string> factsOf(const Params& params) {
  std::vector<std::string> all;
  for (const char* which : {"path", "test_path"})
    if (const std::string& path = params.text(which); !path.empty())
      for (const Array& array : formats::arraysIn(pathOf(path))) all.push_back(described(array));
  return all;
}

}  // namespace

DatasetDef tensors() {
  DatasetDef def;
  def.id = "tensors";
  def.title = "Your own arrays";
  def.summary = "Inputs and targets of any shape in .npz, .npy, safetensors or CSV files: classes, numbers (regression) or sequences of whole numbers.";
  def.params = {
      fileParam("path", "An .npz, .npy, .safetensors or .csv file, or a folder of .npy files. A file of up to 256 MB travels with the run; a larger one, and a folder, must be there on every host."),
      fileParam({"test_path", "Test file"}, "The same for the test set; empty: arrays that end in _test, else a part of the others."),
      textParam("inputs", "x", "Name of the array of inputs, its rows are samples; x_train where there is one. Several names, or * for all others, are joined columns."),
      textParam("targets", "y", "Name of the array of targets."),
      worded(choiceParam("task", "auto", {"auto", "classification", "regression", "sequence"}, "What a target is: a class, numbers, a whole number for each place of a sequence. Automatic: by its type and shape."),
             {"Automatic", "Classification", "Regression", "Sequence"}),
      advanced(integerParam("classes", 0, 0, kMostClasses, "Classes, or different numbers of a sequence; 0: one more than the largest.")),
      advanced(worded(choiceParam({"inputs_as", "Inputs as"}, "auto", {"auto", "numbers"}, "Automatic: whole numbers beside 8 bits are tokens, bytes become 0 to 1. Numbers: floats."), {"Automatic", "Numbers"})),
      advanced(booleanParam("standardise", false, "Each number of a sample less its mean, over its deviation, of the training set.")),
      advanced(realParam({"test_fraction", "Test fraction"}, 0.2, 0.001, 0.999, "Of the rows, where there is no test set.")),
      advanced(integerParam({"split_seed", "Seed of the split"}, 1, 0, 1000000000, "Draws those rows.")),
  };
  def.shape = {.channels = 0, .height = 0, .width = 0};
  def.classes = 0;
  def.locate = [](const Params& params) {
    std::string path = pathHere(pinnedFile(params.text("path")));
    return formats::mayHaveArrays(path) ? path : std::string();
  };
  def.load = [](const Params& params, std::uint64_t) { return loaded(params); };
  def.describe = factsOf;
  return def;
}

}  // namespace paceline::datasets
