#include "app/cluster/deploy/elf.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "app/cluster/hosts/host.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

using ::testing::StartsWith;

std::string readelf(const std::string& script) {  // of binutils, which the compiler brings: an independent reader
  const auto lines = hosts::runOn(*hosts::localHost(), {"sh", "-c", script, "sh", fakeNode()}).lines;
  return lines.empty() ? "" : lines.back();
}

TEST(ElfFile, SaysWhatReadelfSays) {
  const deploy::ElfFile file = deploy::readElf(fakeNode());
  EXPECT_EQ(file.interpreter, readelf("readelf -lW \"$1\" | sed -n 's/.*interpreter: \\(.*\\)]/\\1/p'"));
  std::string needed;
  for (const std::string& name : file.needed) needed += name + " ";
  EXPECT_EQ(needed, readelf("readelf -dW \"$1\" | sed -n 's/.*NEEDED.*\\[\\(.*\\)]/\\1/p' | tr '\\n' ' '"));
  const auto undefined = std::count_if(file.symbols.begin(), file.symbols.end(), [](const deploy::ElfSymbol& s) { return !s.defined; });
  EXPECT_EQ(std::to_string(undefined), readelf("readelf --dyn-syms -W \"$1\" | grep -cE '(GLOBAL|WEAK) .* UND ' "));
  const auto call = std::find_if(file.symbols.begin(), file.symbols.end(), [](const deploy::ElfSymbol& s) { return s.name == "setsid"; });
  ASSERT_NE(call, file.symbols.end());
  EXPECT_THAT(call->version, StartsWith("GLIBC_2."));
}

TEST(ElfNeeds, AreTheHighestVersions) {
  const deploy::ElfNeeds needs = deploy::elfNeeds({fakeNode()});
  EXPECT_EQ("GLIBC_" + needs.glibc, readelf("readelf -VW \"$1\" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1"));
  EXPECT_EQ("GLIBCXX_" + needs.glibcxx, readelf("readelf -VW \"$1\" | grep -o 'GLIBCXX_[0-9.]*' | sort -V | tail -n 1"));
  EXPECT_EQ("CXXABI_" + needs.cxxabi, readelf("readelf -VW \"$1\" | grep -o 'CXXABI_[0-9.]*' | sort -V | tail -n 1"));
}

TEST(ElfNeeds, TheAgentNeedsNothingOfAHost) {
#if defined(PACELINE_SANITIZED)
  GTEST_SKIP() << "with sanitizers it is dynamic";
#endif
  const deploy::ElfFile agent = deploy::readElf(PACELINE_BIN_DIR "/paceline-agent");
  EXPECT_EQ(agent.interpreter, "");
  EXPECT_TRUE(agent.needed.empty());
  EXPECT_EQ(deploy::elfNeeds({agent.path}).glibc, "");
}

TEST(ElfNeeds, CompareAsVersionsNotAsTexts) {
  EXPECT_TRUE(deploy::olderVersion("2.9", "2.36"));
  EXPECT_TRUE(deploy::olderVersion("", "2.2.5"));
  EXPECT_TRUE(deploy::olderVersion("3.4", "3.4.30"));
  EXPECT_FALSE(deploy::olderVersion("2.36", "2.36"));
  EXPECT_FALSE(deploy::olderVersion("3.4.30", "3.4.9"));
}

class HostileElf : public DeployTest {
 protected:
  void expectNoCrash(const std::string& bytes) {
    const std::string path = put("damaged", bytes).string();
    try {
      deploy::readElf(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Errc::kFormat);
      EXPECT_THAT(error.what(), StartsWith(path + " is no usable program or library: "));
    }
  }
};

TEST_F(HostileElf, CutAnywhereIsRefusedInOneSentence) {
  const std::string whole = contentOf(fakeNode());
  for (std::size_t size = 0; size < 4096; size += 31) expectNoCrash(whole.substr(0, size));
  for (std::size_t size = 4096; size < whole.size(); size += whole.size() / 20) expectNoCrash(whole.substr(0, size));
}

TEST_F(HostileElf, DamagedHeadersAndTablesNeverCrash) {
  const std::string whole = contentOf(fakeNode()).substr(0, 64 << 10);
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    for (int flips = 0; flips < 4; ++flips) damaged[random() % (i % 2 == 0 ? 1024 : damaged.size())] = static_cast<char>(random());
    expectNoCrash(damaged);
  }
}

TEST_F(HostileElf, OtherFilesAreRefused) {
  EXPECT_EQ(failureOf([&] { deploy::readElf("/nowhere/lib.so"); }, Errc::kFile), "cannot read /nowhere/lib.so: No such file or directory");
  EXPECT_EQ(failureOf([&] { deploy::readElf("/tmp"); }, Errc::kFile), "cannot read /tmp: Is a directory");
  const std::string script = put("script", "#!/bin/sh\necho a script that is longer than an ELF header, which has 64 bytes\n").string();
  EXPECT_EQ(failureOf([&] { deploy::readElf(script); }, Errc::kFormat), script + " is no usable program or library: it is not in ELF");
}

}  // namespace
}  // namespace paceline::tests
