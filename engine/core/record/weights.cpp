#include "engine/core/record/weights.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iomanip>
#include <numeric>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"

namespace paceline {
namespace {

// Weights of convolutions lie with the channels last: out, height, width, in. As everybody else has them: out, in, height, width.
template <class Number>
void undoLayout(const Block& block, std::span<const Number> from, std::vector<float>& to) {
  const auto size = [&](std::size_t i) { return static_cast<std::size_t>(block.shape[i]); };
  const std::size_t outs = size(0), ins = size(1), area = size(2) * size(3);
  for (std::size_t out = 0; out < outs; ++out)
    for (std::size_t in = 0; in < ins; ++in)
      for (std::size_t at = 0; at < area; ++at) to[(out * ins + in) * area + at] = static_cast<float>(from[(out * area + at) * ins + in]);
}

std::size_t countOf(const std::vector<std::int64_t>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, [](std::size_t all, std::int64_t size) { return all * static_cast<std::size_t>(size); });
}

std::string_view bytesOf(const std::vector<float>& values) { return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)}; }

template <class Number>
void put(std::string& to, Number value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

std::string npyBytes(const Weights::Tensor& tensor) {
  std::string shape;
  for (const std::int64_t size : tensor.dims) shape += strCat(size, ", ");
  if (tensor.dims.size() > 1) shape.resize(shape.size() - 2);
  if (tensor.dims.size() == 1) shape.resize(shape.size() - 1);
  std::string header = strCat("{'descr': '<f4', 'fortran_order': False, 'shape': (", shape, "), }");
  constexpr std::size_t kBegin = 10, kAlignment = 64;
  header.append((kAlignment - (kBegin + header.size() + 1) % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, static_cast<std::uint16_t>(header.size()));
  return bytes.append(header).append(bytesOf(tensor.values));
}

}  // namespace

std::string checkpointWeights(std::int64_t round) { return strCat("round-", std::setw(12), std::setfill('0'), round, ".safetensors"); }

template <class Number>
Weights weightsOf(std::span<const Block> blocks, std::span<const Number> parameters) {
  Weights weights;
  for (const Block& block : blocks) {
    Weights::Tensor tensor{.name = block.name, .dims = block.shape, .values = std::vector<float>(block.size)};
    if (countOf(block.shape) != block.size) tensor.dims = {static_cast<std::int64_t>(block.size)};  // its shape is not known
    const std::span<const Number> from = parameters.subspan(block.offset, block.size);
    if (block.channelsLast) undoLayout(block, from, tensor.values);
    else std::ranges::transform(from, tensor.values.begin(), [](Number value) { return static_cast<float>(value); });
    weights.tensors.push_back(std::move(tensor));
  }
  return weights;
}

template Weights weightsOf<float>(std::span<const Block>, std::span<const float>);
template Weights weightsOf<double>(std::span<const Block>, std::span<const double>);

std::string safetensorsBytes(const Weights& weights) {
  OrderedJson header = OrderedJson::object();
  if (!weights.notes.empty()) header["__metadata__"] = weights.notes;
  std::uint64_t at = 0;
  for (const Weights::Tensor& tensor : weights.tensors) {
    const std::uint64_t end = at + tensor.values.size() * sizeof(float);
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.dims}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = dumped(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  bytes.reserve(8 + text.size() + at);
  put(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
  for (const Weights::Tensor& tensor : weights.tensors) bytes += bytesOf(tensor.values);
  return bytes;
}

Weights parseSafetensors(std::string_view bytes) {
  const auto refuse = [](const std::string& why) { throw Error(Errc::kFormat, "no weights: " + why); };
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse("fewer than 8 bytes");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) refuse(strCat("a header of ", length, " bytes in a file of ", bytes.size()));
  std::vector<Finding> findings;
  const auto header = parseOrderedJson(std::string(bytes.substr(sizeof length, length)), findings);
  if (!header || !header->is_object()) refuse("its header is no JSON object");
  const std::string_view data = bytes.substr(sizeof length + length);
  Weights weights;
  try {
    for (const auto& [name, entry] : header->items()) {
      if (name == "__metadata__") {
        weights.notes = entry.get<std::map<std::string, std::string>>();
        continue;
      }
      Weights::Tensor tensor{.name = name, .dims = entry.at("shape").get<std::vector<std::int64_t>>(), .values = {}};
      const auto range = entry.at("data_offsets").get<std::array<std::uint64_t, 2>>();
      if (entry.at("dtype") != "F32") refuse(strCat("\"", quotable(name), "\" holds no floats of 32 bits"));
      if (range[0] > range[1] || range[1] > data.size() || range[1] - range[0] != countOf(tensor.dims) * sizeof(float)) refuse(strCat("\"", quotable(name), "\" does not fit its place"));
      tensor.values.resize(countOf(tensor.dims));
      std::memcpy(tensor.values.data(), data.data() + range[0], range[1] - range[0]);
      weights.tensors.push_back(std::move(tensor));
    }
  } catch (const Json::exception& error) {
    refuse(reasonOf(error));
  }
  return weights;
}

// Members are stored, not compressed; sizes of 4 GiB and more would need another form of zip.
std::string npzBytes(const Weights& weights) {
  std::string bytes, directory;
  for (const Weights::Tensor& tensor : weights.tensors) {
    const std::string content = npyBytes(tensor), name = tensor.name + ".npy";
    if (bytes.size() + content.size() > 0xffff0000U) throw Error(Errc::kUnsupported, "an .npz file holds at most 4 GB; export it as safetensors");
    const auto offset = static_cast<std::uint32_t>(bytes.size()), size = static_cast<std::uint32_t>(content.size());
    std::string common;  // of both records
    put(common, std::uint16_t{20}), put(common, std::uint16_t{0x800}), put(common, std::uint16_t{0});  // version, names are UTF-8, stored
    put(common, std::uint16_t{0}), put(common, std::uint16_t{0x21});                                  // 1980-01-01
    put(common, crc32(content)), put(common, size), put(common, size);
    put(common, static_cast<std::uint16_t>(name.size())), put(common, std::uint16_t{0});
    bytes.append("PK\x03\x04", 4).append(common).append(name).append(content);
    directory.append("PK\x01\x02", 4);
    put(directory, std::uint16_t{20});
    directory += common;
    put(directory, std::uint16_t{0}), put(directory, std::uint16_t{0}), put(directory, std::uint16_t{0}), put(directory, std::uint32_t{0}), put(directory, offset);
    directory += name;
  }
  const auto count = static_cast<std::uint16_t>(weights.tensors.size());
  const auto at = static_cast<std::uint32_t>(bytes.size());
  bytes.append(directory).append("PK\x05\x06", 4);
  put(bytes, std::uint16_t{0}), put(bytes, std::uint16_t{0}), put(bytes, count), put(bytes, count);
  put(bytes, static_cast<std::uint32_t>(directory.size())), put(bytes, at), put(bytes, std::uint16_t{0});
  return bytes;
}

}  // namespace paceline
