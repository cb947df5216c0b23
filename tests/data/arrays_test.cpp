// Arrays in files: what they hold, and that broken files are one sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>

#include "engine/core/base/hash.h"
#include "engine/core/record/weights.h"
#include "engine/data/formats/arrays.h"
#include "tests/data/array_files.h"
#include "tests/data/data_sets.h"

namespace paceline::tests {
namespace {

using formats::Array;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Arrays : public ::testing::Test {
 protected:
  Arrays() { ::setenv("XDG_CACHE_HOME", (folder_.path() + "/cache").c_str(), 1); }
  std::string file(const std::string& name, const std::string& bytes) { return writeBytes(folder_, name, bytes); }
  std::string refused(const std::string& name, const std::string& bytes) {
    const std::string path = file(name, bytes);
    return refusal(folder_, [&] { formats::arraysIn(path); });
  }
  TempFolder folder_;
};

std::vector<double> valuesOf(const Array& array) {
  std::vector<double> values;
  for (std::size_t i = 0; i < array.elements(); ++i) values.push_back(array.real(i));
  return values;
}

TEST_F(Arrays, OfEveryTypeHaveTheirValues) {
  const auto one = [&](const std::string& descr, const std::string& bytes) { return valuesOf(formats::arraysIn(file("a.npy", npy(descr, "(2,)", bytes))).at(0)); };
  EXPECT_THAT(one("|b1", std::string("\0\1", 2)), ElementsAre(0, 1));
  EXPECT_THAT(one("|u1", "\xff\x01"), ElementsAre(255, 1));
  EXPECT_THAT(one("|i1", "\xff\x01"), ElementsAre(-1, 1));
  EXPECT_THAT(one("<i2", rawBytes<std::int16_t>({-300, 7})), ElementsAre(-300, 7));
  EXPECT_THAT(one("<u2", rawBytes<std::uint16_t>({65535, 7})), ElementsAre(65535, 7));
  EXPECT_THAT(one("<i4", rawBytes<std::int32_t>({-70000, 7})), ElementsAre(-70000, 7));
  EXPECT_THAT(one("<u4", rawBytes<std::uint32_t>({4000000000U, 7})), ElementsAre(4000000000.0, 7));
  EXPECT_THAT(one("<i8", rawBytes<std::int64_t>({-1, std::int64_t{1} << 40})), ElementsAre(-1, 1099511627776.0));
  EXPECT_THAT(one("<f2", rawBytes<std::uint16_t>({0x3c00, 0xc000})), ElementsAre(1, -2));
  EXPECT_THAT(one("<f4", rawBytes<float>({0.5F, -3})), ElementsAre(0.5, -3));
  EXPECT_THAT(one("<f8", rawBytes<double>({1e300, -3})), ElementsAre(1e300, -3));
}

TEST_F(Arrays, OfSafetensorsAndNpzAreThoseThatWereWritten) {
  Weights weights;
  weights.tensors = {{.name = "conv.weight", .dims = {2, 1, 3}, .values = {1, 2, 3, 4, 5, 6}}, {.name = "bias", .dims = {}, .values = {7}}};
  weights.notes = {{"run", "r"}};
  for (const auto& [name, bytes] : {std::pair{std::string("w.safetensors"), safetensorsBytes(weights)}, {std::string("w.npz"), npzBytes(weights)}}) {
    const std::vector<Array> arrays = formats::arraysIn(file(name, bytes));
    ASSERT_EQ(arrays.size(), 2U) << name;
    EXPECT_EQ(arrays[0].name, "bias");
    EXPECT_TRUE(arrays[0].dims.empty());
    EXPECT_EQ(arrays[1].name, "conv.weight");
    EXPECT_THAT(arrays[1].dims, ElementsAre(2, 1, 3));
    EXPECT_THAT(valuesOf(arrays[1]), ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_EQ(parseSafetensors(safetensorsBytes(weights)).tensors, weights.tensors);
}

TEST_F(Arrays, OfADeflatedNpzAreUnpackedOnceIntoTheCache) {
  const std::string path = file("d.npz", zipOf("x.npy", npy("<f4", "(1000,)", rawBytes<float>(std::vector<float>(1000, 2.5F))), Packed::kDeflated));
  EXPECT_LT(std::filesystem::file_size(path), 1000U);
  EXPECT_EQ(valuesOf(formats::arraysIn(path).at(0)), std::vector<double>(1000, 2.5));
  std::vector<std::filesystem::path> unpacked;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() + "/cache"))
    if (entry.is_regular_file()) unpacked.push_back(entry.path());
  ASSERT_EQ(unpacked.size(), 1U);
  const auto written = std::filesystem::last_write_time(unpacked[0]);
  EXPECT_EQ(valuesOf(formats::arraysIn(path).at(0)), std::vector<double>(1000, 2.5));
  EXPECT_EQ(std::filesystem::last_write_time(unpacked[0]), written);
}

TEST_F(Arrays, AFileThatUnpacksToMoreThanItsShapeSaysEndsThere) {
  const std::string bomb = zipOf("x.npy", npy("|u1", "(10,)", std::string(50'000'000, '\0')), Packed::kDeflated);
  EXPECT_LT(bomb.size(), 60'000U);
  EXPECT_EQ(refused("bomb.npz", bomb), "/bomb.npz: x: has more data than its shape says, 10 bytes");
  std::uintmax_t left = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() + "/cache"))
    if (entry.is_regular_file()) left += entry.file_size();
  EXPECT_EQ(left, 0U);
  EXPECT_EQ(refused("short.npz", zipOf("x.npy", npy("|u1", "(10,)", "12345"), Packed::kDeflated)), "/short.npz: x: ends 5 bytes before its shape says");
  EXPECT_THAT(refused("huge.npz", zipOf("x.npy", npy("<f8", "(1000000, 1000000)", "12345678"), Packed::kDeflated)), HasSubstr("its shape says 8.0 TB; "));
}

TEST_F(Arrays, OfObjectsAreRefused) {
  EXPECT_EQ(refused("o.npy", npy("|O", "(2,)", "xx")), "/o.npy: holds Python objects, which are code (pickle); save numbers, with rows of equal length");
  EXPECT_EQ(refused("o.npz", zipOf("ragged.npy", npy("|O", "(2,)", "xx"), Packed::kStored)), "/o.npz: ragged: holds Python objects, which are code (pickle); save numbers, with rows of equal length");
  EXPECT_EQ(refused("s.npy", npy("<U5", "(2,)", std::string(40, 'x'))), "/s.npy: is of type <U5; bool, whole numbers of up to 64 bits and floats of 16 to 64 bits can be used");
  EXPECT_EQ(refused("b.npy", npy(">f4", "(2,)", "12345678")), "/b.npy: is big-endian (>f4); save it with .astype(\"<f4\")");
  EXPECT_EQ(refused("f.npy", npy("<f4", "(2, 2)", std::string(16, 'x'), "True")), "/f.npy: lies in Fortran order; save np.ascontiguousarray(...) of it");
  EXPECT_EQ(refused("n.npy", npy("<f4", "(-2,)", "")), "/n.npy: its shape cannot be: (-2,)");
  EXPECT_EQ(refused("m.npz", zipOf("readme.txt", "hello", Packed::kStored)), "/m.npz: has a member \"readme.txt\" that is no .npy array");
  EXPECT_EQ(refused("x.bin", "hello"), "/x.bin: is none of .npz, .npy, .safetensors, .csv and a folder of .npy");
}

TEST_F(Arrays, OfCsvAreItsColumns) {
  const std::vector<Array> arrays = formats::arraysIn(file("t.csv", "\xEF\xBB\xBF" "size, \"price\" ,label\n1.5,2e3,0\r\n-2,7,1\n\n"));
  ASSERT_EQ(arrays.size(), 3U);
  EXPECT_EQ(arrays[1].name, "price");
  EXPECT_THAT(valuesOf(arrays[0]), ElementsAre(1.5, -2));
  EXPECT_THAT(valuesOf(arrays[1]), ElementsAre(2000, 7));
  EXPECT_EQ(arrays[0].type, formats::ArrayType::kFloat64);
  EXPECT_EQ(arrays[2].type, formats::ArrayType::kInt64);
  EXPECT_EQ(refused("r.csv", "a,b\n1,2\n3\n"), "/r.csv: line 3 has 1 value, the first names 2 columns");
  EXPECT_EQ(refused("w.csv", "a,b\n1,2\n3,x4\n"), "/w.csv: line 3: \"x4\" in column \"b\" is no number");
  EXPECT_EQ(refused("e.csv", ""), "/e.csv: is empty");
}

// Every beginning of every form, and every byte of it turned round.
TEST_F(Arrays, OfBrokenFilesAreOneSentence) {
  Weights weights;
  weights.tensors = {{.name = "w", .dims = {2, 3}, .values = {1, 2, 3, 4, 5, 6}}, {.name = "b", .dims = {3}, .values = {7, 8, 9}}};
  const std::pair<std::string, std::string> forms[] = {{"f.safetensors", safetensorsBytes(weights)},
                                                       {"f.npz", npzBytes(weights)},
                                                       {"d.npz", zipOf("x.npy", npy("<f4", "(3,)", rawBytes<float>({1, 2, 3})), Packed::kDeflated)},
                                                       {"f.npy", npy("<f4", "(3,)", rawBytes<float>({1, 2, 3}))}};
  for (const auto& [name, bytes] : forms) {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const std::string said = refused(name, bytes.substr(0, length));
      EXPECT_THAT(said, HasSubstr("/" + name)) << length;
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(~changed[at]);
      EXPECT_THAT(refused(name, changed), ::testing::Not(HasSubstr("\n"))) << at;  // or nothing: it was a value
    }
  }
}

}  // namespace
}  // namespace paceline::tests
