// paceline storage: what takes room, and what is given back.
#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

using Storage = Desk;

TEST_F(Storage, SaysWhatTakesRoomAndEmptiesTheTrash) {
  ASSERT_EQ(paceline({"simulate", writeSpec("tiny.json", {{"stop", {{"rounds", 400}}}}), "--name", "tiny"}).code, 0);
  EXPECT_THAT(paceline({"storage"}).out, HasSubstr("tiny"));
  const auto use = json({"storage", "--json"});
  EXPECT_EQ(use["items"][0]["name"], "tiny");
  EXPECT_GE(use["items"][0]["records"], 800);
  EXPECT_EQ(use["trash"]["runs"], 0);
  ASSERT_EQ(paceline({"rm", "tiny"}).code, 0);
  EXPECT_EQ(json({"storage", "--json"})["trash"]["bytes"], use["items"][0]["bytes"]);
  const auto freed = json({"storage", "--empty-trash", "--json"});
  EXPECT_EQ(freed["purged"], 1);
  EXPECT_LT(freed["after_bytes"], freed["before_bytes"]);
  EXPECT_EQ(freed["after_bytes"], std::filesystem::file_size(store()));
  EXPECT_TRUE(json({"storage", "--json"})["items"].empty());
  EXPECT_THAT(paceline({"storage", "--free"}).out, HasSubstr("freed 0 bytes: "));
}

TEST_F(Storage, ToldAndEmptiedAreUnpackedArrays) {
  environment_["XDG_CACHE_HOME"] = path("cache");
  EXPECT_EQ(json({"storage", "--json"})["unpacked_arrays"]["bytes"], 0);
  const std::filesystem::path folder = path("cache/paceline/arrays/0123");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.npy") << std::string(1000, 'x');
  const auto use = json({"storage", "--json"})["unpacked_arrays"];
  EXPECT_EQ(use["bytes"], 1000);
  EXPECT_EQ(use["entries"], 1);
  EXPECT_THAT(paceline({"storage"}).out, HasSubstr("cache/paceline/arrays, deleted by --empty-cache"));
  EXPECT_EQ(paceline({"storage", "--empty-cache", "--free"}).code, 2);
  EXPECT_TRUE(std::filesystem::exists(folder / "a.npy"));
  EXPECT_EQ(json({"storage", "--empty-cache", "--json"})["unpacked_arrays_bytes"], 1000);
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_EQ(json({"storage", "--json"})["unpacked_arrays"]["bytes"], 0);
}

}  // namespace
}  // namespace paceline::tests
