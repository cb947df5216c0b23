#include <cstring>
#include <memory>

#include "engine/comm/codecs/codec.h"
#include "engine/comm/codecs/sparse_codec.h"
#include "engine/comm/transport/fields.h"
#include "engine/core/base/hash.h"
#include "engine/core/record/state_table.h"
#include "engine/runtime/control.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

constexpr const char* kPeer = "w1";

std::vector<std::byte> bytesOf(Input input) {
  std::vector<std::byte> bytes(input.size());
  if (!input.empty()) std::memcpy(bytes.data(), input.data(), input.size());
  return bytes;
}

// A header frame and the payload behind it, cut where the header says.
void message(Input input) {
  const std::vector<std::byte> bytes = bytesOf(input);
  const std::size_t header = std::min(bytes.size(), kHeaderBytes + 8 * (bytes.empty() ? 0 : std::to_integer<std::size_t>(bytes.back()) % 16));
  codecs::DecodedHeader decoded = codecs::decodeHeader({bytes.data(), header}, kPeer);
  if (!decoded.hasPayload()) {
    std::vector<std::byte> frame(codecs::headerFrameBytes(decoded.message));
    return codecs::encodeHeader(decoded.message, frame);
  }
  const auto owner = std::make_shared<std::vector<std::byte>>(bytes.begin() + static_cast<std::ptrdiff_t>(header), bytes.end());
  codecs::decodePayload(decoded, *owner, owner, kPeer);
  const Packed& packed = decoded.message.packed;
  if (packed.packing == Packing::kSparse) {
    codecs::SparseVector into;
    codecs::unpackSparse(packed, packed.count, kPeer, into);
    PACELINE_CHECK(into.indices.size() == into.values.size(), "an index for each value");
    for (std::size_t i = 0; i < into.indices.size(); ++i)
      PACELINE_CHECK(into.indices[i] < packed.count && (i == 0 || into.indices[i] > into.indices[i - 1]), "indices ascend within the vector");
  } else if (!packed.empty()) {
    PACELINE_CHECK(codecs::unpackDense(packed, kPeer).values().size() == packed.count, "as many values as are promised");
  }
}

// The first byte says how many elements the vector has (a power of two), the others are what came packed.
Packed packed(Input input, Packing packing) {
  const std::size_t count = std::size_t{1} << (input.empty() ? 0 : input[0] % 18);
  return Packed::of(packing, count, bytesOf(input.subspan(std::min<std::size_t>(1, input.size()))));
}

void sparse(Input input) {
  const Packed given = packed(input, Packing::kSparse);
  codecs::SparseVector into;
  codecs::unpackSparse(given, given.count, kPeer, into);
}
void half(Input input) { codecs::unpackDense(packed(input, Packing::kHalf), kPeer); }
void int8(Input input) { codecs::unpackDense(packed(input, Packing::kInt8), kPeer); }

// Numbers of a control message: kind from the first byte, then doubles.
template <class T>
void readBack(const Message& message) {
  const Message again = messageOf(message.kind, fieldsOf<T>(message));
  PACELINE_CHECK(again.scalars == message.scalars, "numbers that are read are written as they were");
}
void fields(Input input) {
  Message message{.from = 1};
  const int kind = input.empty() ? 0 : input[0];
  input = input.subspan(std::min<std::size_t>(1, input.size()));
  message.scalars.resize(std::min(input.size() / sizeof(double), kMaxScalars));
  if (!message.scalars.empty()) std::memcpy(message.scalars.data(), input.data(), message.scalars.size() * sizeof(double));
  switch (kind % 4) {
    case 0: return readBack<SnapshotStep>(message);
    case 1: return readBack<StopOrder>(message);
    case 2: return readBack<Bye>(message);
    default: return readBack<Progress>(message);
  }
}

// The input is all but the hash at the end: that one is right, or nothing behind it would ever be reached.
void checkpoint(Input input) {
  const std::string bytes = std::string(textOf(input)) + sha256Hex(textOf(input));
  const SavedState saved = parseState(bytes);
  PACELINE_CHECK(stateBytes(saved.owner, saved.round, saved.table).size() == bytes.size(), "a checkpoint that is written is as long as what was read");
}

constexpr Target kCommTargets[] = {{"message", message}, {"sparse", sparse}, {"half", half}, {"int8", int8}, {"fields", fields}, {"checkpoint", checkpoint}};

}  // namespace

std::span<const Target> commTargets() { return kCommTargets; }

}  // namespace paceline::fuzz
