#include "engine/core/spec/pinned_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

const std::string kHash = sha256Hex("net");

RunSpec specWith(const std::string& path) {
  RunSpec spec;
  spec.model = {.id = "script", .params = Params({{"path", path}})};
  spec.nodes.resize(1);
  spec.nodes[0].id = "w0";
  return spec;
}

TEST(PinnedFile, IsAPathAndAHash) {
  EXPECT_EQ(pinnedFile("a/net.pt"), (PinnedFile{.path = "a/net.pt"}));
  EXPECT_EQ(pinnedFile("a/net.pt#sha256=" + kHash), (PinnedFile{.path = "a/net.pt", .sha256 = kHash}));
  EXPECT_EQ(fileName(pinnedFile("a/b/net.pt#sha256=" + kHash)), "net.pt");
  EXPECT_EQ(fileName(pinnedFile("net.pt")), "net.pt");
  for (const std::string& odd : {"net.pt#sha256=" + kHash.substr(1), "net.pt#sha256=" + kHash + "0", std::string("#sha256="), std::string()})
    EXPECT_EQ(pinnedFile(odd), (PinnedFile{.path = odd})) << odd;  // a file may be called so
  for (const std::string& text : {std::string("net.pt"), "net.pt#sha256=" + kHash}) EXPECT_EQ(textOf(pinnedFile(text)), text);
}

TEST(PinnedFile, ItsContentConfiguresARunItsPlaceDoesNot) {
  const std::string here = configHash(specWith("/home/a/net.pt#sha256=" + kHash));
  EXPECT_EQ(configHash(specWith("/home/b/other.pt#sha256=" + kHash)), here);
  EXPECT_NE(configHash(specWith("/home/a/net.pt#sha256=" + sha256Hex("another net"))), here);
  EXPECT_NE(configHash(specWith("/home/a/net.pt")), here);
  EXPECT_EQ(parseRunSpec(toJsonText(specWith("/home/a/net.pt#sha256=" + kHash))).spec.model.params.text("path"), "/home/a/net.pt#sha256=" + kHash);
}

TEST(PinnedFile, OfADocumentAreEachContentOnce) {
  RunSpec spec = specWith("/a/net.pt#sha256=" + kHash);
  spec.dataset.params.set("path", "/b/data.npz#sha256=" + sha256Hex("data"));
  spec.dataset.params.set("test_path", "/b/copy.npz#sha256=" + sha256Hex("data"));
  spec.dataset.params.set("inputs", std::string("x"));
  EXPECT_EQ(pinnedFiles(spec), (std::vector<PinnedFile>{{"/a/net.pt", kHash}, {"/b/data.npz", sha256Hex("data")}}));
}

TEST(PinnedFile, ThatCameWithARunIsReadBeforeTheOneAtItsPath) {
  const std::string folder = ownFolder().string(), path = folder + "/net.pt";
  const auto write = [](const std::string& name, const std::string& bytes) { std::ofstream(name, std::ios::binary) << bytes; };
  const PinnedFile file{.path = path, .sha256 = kHash};
  EXPECT_THROW(bytesOf(file), Error);
  write(path, "changed");
  try {
    bytesOf(file);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kData);
    EXPECT_EQ(std::string(error.what()), path + " has changed: its SHA-256 is " + sha256Hex("changed") + ", the document names " + kHash);
  }
  std::filesystem::create_directories(folder + "/files/" + kHash);
  write(folder + "/files/" + kHash + "/net.pt", "net");
  ::setenv(kFilesVariable, (folder + "/files").c_str(), 1);
  EXPECT_EQ(bytesOf(file), "net");
  ::unsetenv(kFilesVariable);
  EXPECT_EQ(bytesOf({.path = path}), "changed");
}

}  // namespace
}  // namespace paceline::tests
