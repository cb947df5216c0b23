#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/cluster/deploy/files.h"
#include "engine/core/base/hash.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

TEST(FolderFiles, TakesFoldersInFoldersAndNothingHidden) {
  const std::filesystem::path folder = tests::ownFolder();
  for (const char* name : {"train/cat/1.png", "train/dog/2.png", "val/cat/3.png", "list.txt", ".cache/x", "train/.DS_Store"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << name;
  }
  const deploy::FileSet set = deploy::folderFiles(folder);
  std::vector<std::string> paths;
  for (const ManifestFile& file : set.manifest.files) paths.push_back(file.path);
  EXPECT_THAT(paths, ::testing::ElementsAre("list.txt", "train/cat/1.png", "train/dog/2.png", "val/cat/3.png"));
  EXPECT_EQ(set.manifest.files[1].sha256, sha256Hex("train/cat/1.png"));
  EXPECT_NO_THROW(parseManifest(toJsonText(set.manifest)));  // which the host's agent does
}

}  // namespace
}  // namespace paceline::tests
