#include "agent/supervisor/probe/probe.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

class ProbeLibraries : public ::testing::Test {
 protected:
  ProbeLibraries() : root_(fs::path(::testing::TempDir()) / strCat("paceline-libraries-", ::getpid())) { fs::create_directories(root_); }
  ~ProbeLibraries() override { fs::remove_all(root_); }

  std::string library(const std::string& path, const std::string& strings, bool ours = true) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ours ? ELFCLASS64 : ELFCLASS32;
#if defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#else
    header.e_machine = EM_X86_64;
#endif
    return text(path, std::string(reinterpret_cast<const char*>(&header), sizeof header) + strings);
  }
  std::string text(const std::string& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << content;
    return (root_ / path).string();
  }
  probe::LibraryFacts facts() const { return probe::libraryFacts(root_.string()); }
  fs::path root_;
};

TEST_F(ProbeLibraries, TheHighestVersionCountsByNumbersNotByLetters) {
  const std::string file = library("a", "x GLIBCXX_3.4.9\0GLIBCXX_3.4.30\0GLIBCXX_3.4.4\0GLIBCXX_DEBUG\0CXXABI_1.3.13\0CXXABI_TM_1"s);
  EXPECT_EQ(probe::highestVersionIn(file, "GLIBCXX_"), "3.4.30");
  EXPECT_EQ(probe::highestVersionIn(file, "CXXABI_"), "1.3.13");
  EXPECT_EQ(probe::highestVersionIn(file, "GLIBC_"), "");
}

TEST_F(ProbeLibraries, AVersionAcrossTheBordersOfReadingIsFound) {
  for (std::size_t before = (1 << 20) - 90; before < (1 << 20); before += 7)
    EXPECT_EQ(probe::highestVersionIn(library("b", std::string(before, 'x') + "GLIBC_2.41"), "GLIBC_"), "2.41") << before;
}

TEST_F(ProbeLibraries, TheBannerOfLibcNamesItsVersion) {
  EXPECT_EQ(probe::libcVersionOf(library("c", "GNU C Library (Ubuntu GLIBC 2.31-0ubuntu9.16) stable release version 2.31.\nCopyright")), "2.31");
  EXPECT_EQ(probe::libcVersionOf(library("d", "GLIBC_2.17\0GLIBC_2.28\0GLIBC_PRIVATE"s)), "2.28");
}

TEST_F(ProbeLibraries, OnlyLibrariesOfThisArchitectureCount) {
  library("lib/libc.so.6", "GLIBC_2.99", false);
  library("usr/lib64/libc.so.6", "GLIBC_2.28");
  EXPECT_EQ(facts().libc, "2.28");
}

TEST_F(ProbeLibraries, TheLoadersCacheKnowsUnusualFolders) {
  library("gnu/store/lib/libstdc++.so.6", "GLIBCXX_3.4.25\0CXXABI_1.3.11"s);
  text("etc/ld.so.cache", "glibc-ld.so.cache1.1\0\3\0\0libstdc++.so.6\0/gnu/store/lib/libstdc++.so.6\0/no/such/libc.so.6\0"s);
  EXPECT_EQ(facts().glibcxx, "3.4.25");
  EXPECT_EQ(facts().cxxabi, "1.3.11");
  EXPECT_EQ(facts().libc, "");
}

TEST_F(ProbeLibraries, MuslIsNamed) {
  library("lib/ld-musl-x86_64.so.1", "musl libc");
  EXPECT_EQ(facts().libc, "musl");
}

TEST_F(ProbeLibraries, LibTorchTellsItsVersionByNameOrBesideIt) {
  library("usr/lib/x86_64-linux-gnu/libtorch_cpu.so.1.13.0", "");
  EXPECT_EQ(facts().torch, "1.13.0");
  fs::remove_all(root_ / "usr");
  library("opt/libtorch/lib/libtorch_cpu.so", "");
  EXPECT_EQ(facts().torch, "");
  text("opt/libtorch/build-version", "2.1.0+cpu\n");
  EXPECT_EQ(facts().torch, "2.1.0");
  text("opt/libtorch/version.py", "from typing import Optional\n__version__ = '2.2.1+cu121'\n");
  EXPECT_EQ(facts().torch, "2.2.1");
}

TEST_F(ProbeLibraries, OddFilesAreNoLibraries) {
  text("lib64/libc.so.6", "");
  text("usr/lib/libstdc++.so.6", "GLIBCXX_3.4.30");
  text("etc/ld.so.cache", std::string(100'000, '/') + "libc.so.6");
  EXPECT_EQ(facts().libc, "");
  EXPECT_EQ(facts().glibcxx, "");
}

TEST(ProbeLibrariesHere, ThisHostHasACLibrary) {
  EXPECT_THAT(probe::libraryFacts().libc, testing::MatchesRegex("2\\.[0-9]+|musl"));
  EXPECT_THAT(probe::libraryFacts().libcFile, testing::StartsWith("/"));
}

}  // namespace
}  // namespace paceline::tests
