// paceline storage: what takes room, and what is given back.
#include <filesystem>

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

}  // namespace
}  // namespace paceline::tests
