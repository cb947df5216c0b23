#include "engine/data/datasets/data_check.h"

#include "tests/data/data_sets.h"
#include "tests/data/mat_writer.h"
#include "tests/data/picture_files.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const datasets::CheckedFile& fileNamed(const datasets::DataCheck& check, const std::string& name) {
  for (const datasets::CheckedFile& file : check.files)
    if (file.name == name) return file;
  throw std::runtime_error(name);
}

TEST(DataCheck, FashionMnistOfDebianHasThePublishedContent) {
  const datasets::DatasetDef& def = *datasets::findDataset("fashion_mnist");
  const std::string folder = "/usr/share/datasets/fashion-mnist";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "Fashion-MNIST is not on this machine";
  const datasets::DataCheck check = datasets::checkData(def, folder, false, 1);
  EXPECT_THAT(check.problems, ElementsAre());
  ASSERT_EQ(check.files.size(), 4U);
  for (const datasets::CheckedFile& file : check.files) EXPECT_TRUE(file.state == datasets::FileState::kRepacked || file.state == datasets::FileState::kPublished) << file.name;
  ASSERT_EQ(check.splits.size(), 2U);
  EXPECT_THAT(check.splits[0].perClass, ::testing::Each(6000));
  EXPECT_THAT(check.splits[1].perClass, ::testing::Each(1000));
  const std::vector<const datasets::DatasetDef*> could = datasets::setsAt(folder);
  ASSERT_EQ(could.size(), 1U);  // and not MNIST, whose files are called the same
  EXPECT_EQ(could[0]->id, "fashion_mnist");
}

TEST(DataCheck, NamesFilesThatAreMissingOrDifferent) {
  const TempFolder folder{};
  writePlain(folder / "train_32x32.mat", digitsFile(Bytes(3 * 3072), {1, 2, 2}));
  datasets::DataCheck check = datasets::checkData(*datasets::findDataset("svhn"), folder.path(), false, 1);
  EXPECT_EQ(fileNamed(check, "train_32x32.mat").state, datasets::FileState::kDifferent);
  EXPECT_EQ(fileNamed(check, "test_32x32.mat").state, datasets::FileState::kMissing);
  EXPECT_THAT(check.problems, ElementsAre(HasSubstr("train_32x32.mat: its SHA-256 is "), folder.path() + ": has no test_32x32.mat", HasSubstr("has no test_32x32.mat")));
  writePlain(folder / "test_32x32.mat", digitsFile(Bytes(3072), {10}));
  check = datasets::checkData(*datasets::findDataset("svhn"), folder.path(), false, 1);
  ASSERT_EQ(check.splits.size(), 2U);
  EXPECT_THAT(check.splits[0].perClass, ElementsAre(0, 1, 2, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(check.problems, ::testing::Contains(folder.path() + ": has 3 images to train, the published set has 73257"));
  ASSERT_EQ(datasets::setsAt(folder.path()).size(), 1U);
  EXPECT_EQ(datasets::setsAt(folder.path())[0]->id, "svhn");
}

TEST(DataCheck, DecodesEveryPictureAndNamesTheBrokenOnes) {
  const TempFolder folder{};
  for (const char* name : {"train/a/1.png", "train/a/2.png", "train/b/3.png", "val/a/4.png", "val/b/5.png"}) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    writePng(folder / name, plainPixels(4, 4, {1, 2, 3}), 4, 4, PNG_FORMAT_RGB);
  }
  const datasets::DatasetDef& def = *datasets::findDataset("image_folder");
  datasets::DataCheck check = datasets::checkData(def, folder.path(), true, 3);
  EXPECT_THAT(check.problems, ElementsAre());
  EXPECT_THAT(check.classNames, ElementsAre("a", "b"));
  EXPECT_THAT(check.splits[0].perClass, ElementsAre(2, 1));
  writePlain(folder / "train/a/2.png", {1, 2, 3, 4});
  writePlain(folder / "train/b/3.png", {});
  check = datasets::checkData(def, folder.path(), true, 3);
  EXPECT_EQ(check.splits[0].broken, 2);
  EXPECT_THAT(check.splits[0].brokenFiles, ElementsAre(folder.path() + "/train/a/2.png: is neither JPEG nor PNG: it begins with 01 02 03 04",
                                                       folder.path() + "/train/b/3.png: is neither JPEG nor PNG: it is empty"));
  EXPECT_THAT(check.problems, ElementsAre(HasSubstr(": 2 of 3 pictures to train do not decode, first: ")));
  EXPECT_THAT(datasets::checkData(def, folder.path(), false, 3).problems, ElementsAre());  // nobody looked
}

}  // namespace
}  // namespace paceline::tests
