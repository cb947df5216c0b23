// The data set of a user's own arrays.
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/core/spec/pinned_file.h"
#include "engine/data/datasets/data_check.h"
#include "engine/data/loader.h"
#include "engine/data/partitioners/partitioner.h"
#include "tests/data/array_files.h"
#include "tests/data/data_sets.h"

namespace paceline::tests {
namespace {

using datasets::Dataset;
using datasets::Element;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Tensors : public ::testing::Test {
 protected:
  Dataset load(std::map<std::string, ParamValue> given) {
    const datasets::DatasetDef& def = *datasets::findDataset("tensors");
    return def.load(paramsFor(def, given), 1);
  }
  std::string refused(const std::map<std::string, ParamValue>& given) {
    return refusal(folder_, [&] { load(given); });
  }
  std::string file(const std::string& name, const std::string& bytes) { return writeBytes(folder_, name, bytes); }
  // x.npy and y.npy in a folder of this name.
  std::string pair(const std::string& name, const std::string& x, const std::string& y) {
    std::filesystem::create_directories(folder_.path() + "/" + name);
    file(name + "/x.npy", x), file(name + "/y.npy", y);
    return folder_.path() + "/" + name;
  }
  TempFolder folder_;
};

template <class T>
std::vector<T> inputOf(const Dataset& data, const datasets::Images& split, std::size_t index) {
  std::vector<T> values(data.inputBytes() / sizeof(T));
  split.rows->input(index, values.data());
  return values;
}
template <class T>
std::vector<T> targetOf(const Dataset& data, const datasets::Images& split, std::size_t index) {
  std::vector<T> values(data.targetBytes() / sizeof(T));
  split.rows->target(index, values.data());
  return values;
}

std::string counted(std::size_t count) {  // floats 0, 1, 2 ...
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return rawBytes(values);
}

TEST_F(Tensors, OfWholeNumbersAreClassesAndASeededPartIsTested) {
  const std::string path = pair("c", npy("<f4", "(10, 2, 3)", counted(60)), npy("<i8", "(10,)", rawBytes<std::int64_t>({0, 1, 2, 0, 1, 2, 0, 1, 2, 0})));
  const Dataset data = load({{"path", path}});
  EXPECT_TRUE(data.hasClasses);
  EXPECT_EQ(data.classes, 3);
  EXPECT_THAT(data.form.input, ElementsAre(2, 3));
  EXPECT_EQ(data.shape, (Shape{1, 2, 3}));
  ASSERT_EQ(data.train.count(), 8U);
  ASSERT_EQ(data.test.count(), 2U);
  std::vector<float> firsts;  // every row is in one of the two, in its place with its target
  for (const auto* split : {&data.train, &data.test})
    for (std::size_t i = 0; i < split->count(); ++i) {
      const float first = inputOf<float>(data, *split, i).front();
      EXPECT_EQ(targetOf<std::int64_t>(data, *split, i), std::vector<std::int64_t>{static_cast<std::int64_t>(first / 6) % 3});
      EXPECT_EQ(split->labels[i], static_cast<int>(first / 6) % 3);
      firsts.push_back(first);
    }
  std::ranges::sort(firsts);
  EXPECT_THAT(firsts, ElementsAre(0, 6, 12, 18, 24, 30, 36, 42, 48, 54));
  EXPECT_EQ(inputOf<float>(load({{"path", path}}), data.test, 0), inputOf<float>(data, data.test, 0));  // the same split again
}

TEST_F(Tensors, OfFloatsAreNumbers) {
  const Dataset data = load({{"path", pair("r", npy("<f8", "(4, 1)", rawBytes<double>({1, 2, 3, 4})), npy("<f4", "(4, 2)", counted(8)))}, {"test_fraction", 0.25}});
  EXPECT_FALSE(data.hasClasses);
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.form.targetType, Element::kFloat);
  EXPECT_THAT(data.form.target, ElementsAre(2));
  const float x = inputOf<float>(data, data.train, 0).front();
  EXPECT_THAT(targetOf<float>(data, data.train, 0), ElementsAre(2 * x - 2, 2 * x - 1));
}

TEST_F(Tensors, OfSequencesAreTokens) {
  const Dataset data = load({{"path", pair("s", npy("<i4", "(4, 3)", rawBytes<std::int32_t>({0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5})), npy("<i4", "(4, 3)", rawBytes<std::int32_t>({1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6})))}});
  EXPECT_EQ(data.form.inputType, Element::kInteger);
  EXPECT_EQ(data.classes, 7);
  EXPECT_THAT(data.form.target, ElementsAre(3));
  const auto x = inputOf<std::int64_t>(data, data.train, 0), y = targetOf<std::int64_t>(data, data.train, 0);
  EXPECT_THAT(y, ElementsAre(x[0] + 1, x[1] + 1, x[2] + 1));
}

TEST_F(Tensors, OfBytesAreFromZeroToOne) {
  const Dataset data = load({{"path", pair("b", npy("|u1", "(2, 1, 1, 2)", std::string("\x00\xff\x33\x66", 4)), npy("|u1", "(2,)", std::string("\0\1", 2)))}, {"test_fraction", 0.5}});
  const auto row = inputOf<float>(data, data.train, 0);
  const bool first = data.train.labels[0] == 0;
  EXPECT_THAT(row, ElementsAre(first ? 0 : 0.2F, first ? 1 : 0.4F));
}

TEST_F(Tensors, OfATableAreItsColumnsStandardised) {
  std::string table = "a,b,label\n";
  for (int i = 0; i < 20; ++i) table += strCat(i, ",", 100 * (i % 5), ",", i % 2, "\n");
  const Dataset data = load({{"path", file("t.csv", table)}, {"inputs", "*"}, {"targets", "label"}, {"standardise", true}});
  EXPECT_THAT(data.form.input, ElementsAre(2));
  double sums[2] = {}, squares[2] = {};
  for (std::size_t i = 0; i < data.train.count(); ++i) {
    const auto row = inputOf<float>(data, data.train, i);
    for (std::size_t j = 0; j < 2; ++j) sums[j] += row[j], squares[j] += row[j] * row[j];
  }
  const auto count = static_cast<double>(data.train.count());
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(sums[j] / count, 0, 1e-6);
    EXPECT_NEAR(squares[j] / count, 1, 1e-5);
  }
}

TEST_F(Tensors, WithATestSetOfItsOwnAreNotDivided) {
  const std::string path = folder_.path() + "/named";
  std::filesystem::create_directories(path);
  file("named/x_train.npy", npy("<f4", "(3, 1)", counted(3))), file("named/y_train.npy", npy("<i8", "(3,)", rawBytes<std::int64_t>({0, 1, 0})));
  file("named/x_test.npy", npy("<f4", "(2, 1)", counted(2))), file("named/y_test.npy", npy("<i8", "(2,)", rawBytes<std::int64_t>({1, 4})));
  const Dataset data = load({{"path", path}});
  EXPECT_EQ(data.train.count(), 3U);
  EXPECT_EQ(data.test.count(), 2U);
  EXPECT_EQ(data.classes, 5);
}

TEST_F(Tensors, ThatDoNotFitAreOneSentence) {
  const std::string classes = npy("<i8", "(4,)", rawBytes<std::int64_t>({0, 1, 2, 3}));
  const std::string x = npy("<f4", "(4, 2)", counted(8));
  EXPECT_EQ(refused({}), "dataset \"tensors\": /dataset/params/path must name a file or a folder");
  EXPECT_EQ(refused({{"path", pair("a", x, npy("<i8", "(3,)", rawBytes<std::int64_t>({0, 1, 2})))}}), "/a/x.npy has 4 rows, /a/y.npy has 3");
  EXPECT_EQ(refused({{"path", pair("b", x, classes)}, {"classes", std::int64_t{3}}}), "/b/y.npy: row 3 has 3; it must be from 0 to 2");
  EXPECT_EQ(refused({{"path", pair("c", x, npy("<i8", "(4,)", rawBytes<std::int64_t>({0, -1, 2, 3})))}}), "/c/y.npy: row 1 has -1; it must be from 0 to 65534");
  EXPECT_EQ(refused({{"path", pair("d", x, npy("<f4", "(4,)", rawBytes<float>({0, 1, NAN, 3})))}}), "/d/y.npy: row 2 has nan, which is no target");
  EXPECT_EQ(refused({{"path", pair("e", x, npy("<f4", "(4,)", counted(4)))}, {"task", "classification"}}), "/e/y.npy is float32; targets of classification are whole numbers");
  EXPECT_EQ(refused({{"path", pair("f", x, classes)}, {"targets", "z"}}), "/f has no array \"z\" (/dataset/params/targets); it has x, y");
  EXPECT_THAT(refused({{"path", pair("g", x, classes)}, {"test_fraction", 0.01}}), HasSubstr("a fraction of 0.01 of 4 rows leaves 0 to test and 4 to train"));
}

TEST_F(Tensors, OfAPinnedFileAreRefusedWhereItHasChanged) {
  const std::string path = file("p.csv", "a,label\n1,0\n2,1\n3,0\n4,1\n5,0\n");
  const std::string pinned = textOf(PinnedFile{.path = path, .sha256 = sha256OfFile(path)});
  EXPECT_EQ(load({{"path", pinned}, {"inputs", "a"}, {"targets", "label"}}).train.count(), 4U);
  file("p.csv", "a,label\n1,0\n2,1\n3,0\n4,1\n6,0\n");
  EXPECT_THAT(refused({{"path", pinned}, {"inputs", "a"}, {"targets", "label"}}), HasSubstr("/p.csv has changed: its SHA-256 is "));
}

TEST_F(Tensors, AndTextsAreRecognisedByTheirNames) {
  const auto ids = [](const std::string& path) {
    std::vector<std::string> all;
    for (const datasets::DatasetDef* def : datasets::setsAt(path)) all.push_back(def->id);
    return all;
  };
  EXPECT_THAT(ids(file("a.npz", zipOf("x.npy", npy("<f4", "(1,)", counted(1)), Packed::kStored))), ElementsAre("tensors"));
  EXPECT_THAT(ids(file("a.csv", "x,y\n1,2\n")), ElementsAre("tensors"));
  EXPECT_THAT(ids(file("a.txt", "hello")), ::testing::Contains("text_characters"));
  EXPECT_THAT(ids(file("a.bin", "hello")), ::testing::Not(::testing::Contains("tensors")));
}

TEST_F(Tensors, WithoutClassesAreNotDividedByThem) {
  const Dataset data = load({{"path", pair("n", npy("<f4", "(10, 1)", counted(10)), npy("<f4", "(10,)", counted(10)))}});
  RunSpec spec;
  spec.dataset.id = "tensors";
  spec.nodes.resize(2);
  for (const char* id : {"by_class", "classes_per_worker", "dirichlet"}) {
    spec.partition.id = id;
    EXPECT_EQ(refusal(folder_, [&] { partitioners::splitOf(spec, data); }), strCat("/partition/id: \"", id, "\" divides by classes; data set \"tensors\" has none"));
  }
  for (const char* id : {"iid", "contiguous", "shared"}) {
    spec.partition.id = id;
    EXPECT_EQ(partitioners::splitOf(spec, data).indices.size(), 2U) << id;
  }
}

// Where a network wants channels last, a batch has them so; its targets come beside.
TEST_F(Tensors, AreGatheredInEitherLayout) {
  const Dataset data = load({{"path", pair("l", npy("<f4", "(2, 2, 2, 2)", counted(16)), npy("<f4", "(2, 1)", counted(2)))}, {"test_fraction", 0.5}});
  float rows[8], last[8], target = -1;
  ASSERT_EQ(trainBatch(data, std::vector<std::uint32_t>{0}, 1, 0, false, rows, &target), 1U);
  ASSERT_EQ(trainBatch(data, std::vector<std::uint32_t>{0}, 1, 0, true, last, &target), 1U);
  EXPECT_EQ(target, rows[0] / 8);
  for (int c = 0; c < 2; ++c)
    for (int i = 0; i < 4; ++i) EXPECT_EQ(last[i * 2 + c], rows[c * 4 + i]);
}

}  // namespace
}  // namespace paceline::tests
