#include "engine/data/datasets/data_look.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"
#include "engine/core/base/text.h"

namespace paceline::datasets {
namespace {

constexpr std::size_t kFirstNumbers = 6;

// Different ones, in order of their class, then of their place.
std::vector<std::size_t> drawn(const Images& images, int count, std::uint64_t seed, const std::string& split) {
  Rng rng = Rng::stream(seed, "look " + split);
  const std::size_t wanted = std::min(images.count(), static_cast<std::size_t>(count));
  std::set<std::size_t> chosen;  // Floyd's: each subset is as likely
  for (std::size_t top = images.count() - wanted; top < images.count(); ++top)
    if (const std::size_t one = rng.below(top + 1); !chosen.insert(one).second) chosen.insert(top);
  std::vector<std::size_t> indices(chosen.begin(), chosen.end());
  std::ranges::stable_sort(indices, {}, [&images](std::size_t i) { return images.labels[i]; });
  return indices;
}

bool isPlane(const Dataset& data) {
  return data.form.inputType == Element::kFloat && data.form.input.size() >= 2 && (data.stored.channels == 1 || data.stored.channels == 3);
}

// "0.12, -3, 4 (of 784)": `read` writes all of them.
std::string firstOf(Element type, const std::vector<std::int64_t>& dims, const auto& read) {
  const std::size_t count = Dataset::countOf(dims), shown = std::min(count, kFirstNumbers);
  std::string text;
  const auto tell = [&](const auto& values) {
    for (std::size_t i = 0; i < shown; ++i) text += strCat(i == 0 ? "" : ", ", values[i]);
  };
  if (type == Element::kFloat) {
    std::vector<float> values(count);
    read(values.data()), tell(values);
  } else {
    std::vector<std::int64_t> values(count);
    read(values.data()), tell(values);
  }
  return count > shown ? strCat(text, " (of ", count, ")") : text;
}

// Floats of one or three channels, the smallest black and the largest white.
Picture pictureOfRow(const Dataset& data, const Rows& rows, std::size_t index) {
  std::vector<float> values(Dataset::countOf(data.form.input));
  rows.input(index, values.data());
  const auto [least, most] = std::ranges::minmax(values);
  Picture picture{.shape = data.stored, .pixels = {}};
  for (const float value : values) picture.pixels.push_back(most > least && std::isfinite(value) ? static_cast<std::uint8_t>(std::lround(255 * (value - least) / (most - least))) : 0);
  return picture;
}

Picture pictureAt(const Dataset& data, const Images& images, std::size_t index) {
  Picture picture{.shape = data.stored, .pixels = {}};
  if (images.rows) return pictureOfRow(data, *images.rows, index);
  if (images.files) {
    images.files->decode(index, picture);
    return picture;
  }
  const std::size_t size = static_cast<std::size_t>(data.stored.channels) * static_cast<std::size_t>(data.stored.height) * static_cast<std::size_t>(data.stored.width);
  const auto begin = images.pixels.begin() + static_cast<std::ptrdiff_t>(index * size);
  picture.pixels.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
  return picture;
}

LookedSample sampleAt(const Dataset& data, const Images& images, std::size_t index) {
  LookedSample sample{.index = static_cast<std::int64_t>(index), .label = images.labels[index]};
  if (images.rows && !data.hasClasses) sample.target = firstOf(data.form.targetType, data.form.target, [&](void* to) { images.rows->target(index, to); });
  if (images.rows && !isPlane(data)) {
    sample.numbers = firstOf(data.form.inputType, data.inputDims(), [&](void* to) { images.rows->input(index, to); });
    return sample;
  }
  try {
    const Picture whole = pictureAt(data, images, index);
    sample.stored = whole.shape;
    sample.picture = reduced(whole, kLookedSide);
  } catch (const Error& error) {
    sample.problem = error.what();
  }
  return sample;
}

}  // namespace

Picture reduced(const Picture& picture, int most) {
  const auto [channels, height, width] = picture.shape;
  const int longer = std::max(height, width);
  if (longer <= most) return picture;
  const auto shorter = [&](int side) { return std::max(1, static_cast<int>(static_cast<std::int64_t>(side) * most / longer)); };
  Picture small{.shape = {.channels = channels, .height = shorter(height), .width = shorter(width)}, .pixels = {}};
  const auto from = [](int i, int parts, int side) { return static_cast<int>(static_cast<std::int64_t>(i) * side / parts); };
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < small.shape.height; ++y)
      for (int x = 0; x < small.shape.width; ++x) {
        const int top = from(y, small.shape.height, height), bottom = std::max(top + 1, from(y + 1, small.shape.height, height));
        const int left = from(x, small.shape.width, width), right = std::max(left + 1, from(x + 1, small.shape.width, width));
        std::int64_t sum = 0;
        for (int row = top; row < bottom; ++row)
          for (int column = left; column < right; ++column)
            sum += picture.pixels[(static_cast<std::size_t>(c) * static_cast<std::size_t>(height) + static_cast<std::size_t>(row)) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)];
        const std::int64_t many = static_cast<std::int64_t>(bottom - top) * (right - left);
        small.pixels.push_back(static_cast<std::uint8_t>((sum + many / 2) / many));
      }
  return small;
}

DataLook lookAt(const DatasetDef& def, const std::string& path, const LookWish& wish) {
  if (wish.split != "train" && wish.split != "test") throw Error(Errc::kUsage, strCat("there are samples to train and to test, not to \"", quotable(wish.split), "\""));
  if (wish.count < 0 || wish.count > kMostLooked) throw Error(Errc::kUsage, strCat("0 to ", kMostLooked, " samples can be looked at, not ", wish.count));
  const Params params = paramsAt(def, path);
  const Dataset data = def.load(params, 1);
  DataLook look{.id = def.id, .path = def.locate(params), .classes = data.classes, .split = wish.split, .seed = wish.seed};
  look.classNames = classNamesOf(def, data, look.path);
  look.splits = {countedSplit("train", data.train, data.classes, def.trainCount), countedSplit("test", data.test, data.classes, def.testCount)};
  if (!data.hasClasses) look.classes = 0, look.splits[0].perClass.clear(), look.splits[1].perClass.clear();
  const Images& images = wish.split == "train" ? data.train : data.test;
  for (const std::size_t index : drawn(images, wish.count, wish.seed, wish.split)) look.samples.push_back(sampleAt(data, images, index));
  return look;
}

}  // namespace paceline::datasets
