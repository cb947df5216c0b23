// Whatever happens while a file is written, what stands under its name is the old content or the new one, whole.
#include "engine/core/base/replace_file.h"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "engine/core/base/fd.h"
#include "engine/core/base/file_text.h"
#include "tests/support/disk_faults.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public ::testing::Test {
 protected:
  void put(const std::string& text) const { std::ofstream(path_, std::ios::trunc) << text; }
  std::string content() const { return fileText(path_).value_or("there is none"); }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  mode_t mode() const {
    struct stat there{};
    return ::stat(path_.c_str(), &there) == 0 ? there.st_mode & 07777U : 0;
  }
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string folder_ = ownFolder().string(), path_ = folder_ + "/document.json", old_ = std::string(9'000, 'o'), new_ = std::string(20'000, 'n');
};

TEST_F(ReplaceFile, EveryCallThatFailsLeavesTheOldFileAndOneSentence) {
  put(old_);
  const int calls = failEveryCall([&] { replaceFile(path_, new_); },
                                  [&](const std::string& where, const std::string& sentence) {
                                    const bool written = sentence.empty() || sentence.find("is written, but") != std::string::npos;
                                    EXPECT_TRUE(content() == (written ? new_ : old_)) << where << ": " << sentence;
                                    EXPECT_TRUE(sentence.empty() || sentence.find(path_) != std::string::npos) << sentence;
                                    EXPECT_EQ(files(), 1) << where;
                                    put(old_);
                                  });
  EXPECT_EQ(calls, 7) << "open, write, fsync, close, rename, open folder, fsync folder";
}

TEST_F(ReplaceFile, AKillBeforeEachCallLeavesOldOrNewAndTheNextCallTidiesUp) {
  put(old_);
  const int calls = killBeforeEveryCall([&] { replaceFile(path_, new_); },
                                        [&](const std::string& where) {
                                          EXPECT_TRUE(content() == old_ || content() == new_) << where;
                                          replaceFile(path_, old_);
                                          EXPECT_TRUE(content() == old_) << where;
                                          EXPECT_EQ(files(), 1) << where;
                                        });
  EXPECT_EQ(calls, 7);
}

TEST_F(ReplaceFile, PiecesMakeOneFile) {
  replaceFile(path_, [&](const PieceWriter& write) { write(old_), write(""), write(new_); });
  EXPECT_EQ(content(), old_ + new_);
}

TEST_F(ReplaceFile, AnErrorBetweenPiecesLeavesTheOldFile) {
  put(old_);
  EXPECT_EQ(refusal([&] { replaceFile(path_, [&](const PieceWriter& write) { write(new_), throw Error(Errc::kStore, "no more"); }); }), "no more");
  EXPECT_EQ(content(), old_);
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, ANewFileIsThereWholeOrNotAtAll) {
  failEveryCall([&] { replaceFile(path_, new_); },
                [&](const std::string& where, const std::string& sentence) {
                  const bool written = sentence.empty() || sentence.find("is written, but") != std::string::npos;
                  EXPECT_TRUE(content() == (written ? new_ : "there is none")) << where;
                  fs::remove(path_);
                });
}

TEST_F(ReplaceFile, AFileThatMayNotGrowIsRefusedByTheWrite) {
  put(old_);
  disk::tellFileSizeLimits();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 10'000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string sentence = refusal([&] { replaceFile(path_, new_); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(sentence, strCat("cannot write ", path_, " (the file there stays as it was): File too large"));
  EXPECT_EQ(content(), old_);
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, TheModeOfAnOldFileStays) {
  replaceFile(path_, old_, 0600);
  EXPECT_EQ(mode(), 0600U);
  ::chmod(path_.c_str(), 0664);
  replaceFile(path_, new_, 0600);
  EXPECT_EQ(mode(), 0664U);
}

TEST_F(ReplaceFile, ALinkStaysALink) {
  const std::string link = folder_ + "/link.json";
  fs::create_symlink("document.json", link);
  replaceFile(link, old_);  // to nothing yet
  EXPECT_EQ(content(), old_);
  replaceFile(link, new_);
  EXPECT_EQ(content(), new_);
  EXPECT_TRUE(fs::is_symlink(link));
  fs::create_symlink("circle", folder_ + "/circle");
  EXPECT_EQ(refusal([&] { replaceFile(folder_ + "/circle", new_); }), strCat("cannot write ", folder_, "/circle: Too many levels of symbolic links"));
}

TEST_F(ReplaceFile, WhatIsNoFileIsWrittenAsItStands) {
  replaceFile("/dev/null", new_);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(refusal([&] { replaceFile("/dev/full", new_); }), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(refusal([&] { replaceFile(folder_, new_); }), strCat("cannot write ", folder_, ": Is a directory"));
  Pipe pipe;
  replaceFile(strCat("/dev/fd/", pipe.write.get()), "text");
  std::array<char, 8> got{};
  EXPECT_EQ(::read(pipe.read.get(), got.data(), got.size()), 4);
  EXPECT_STREQ(got.data(), "text");
}

TEST_F(ReplaceFile, TwoWritersAtOnceLeaveOneOfTheirFiles) {
  const auto write = [this](const std::string& text) {
    for (int i = 0; i < 30; ++i) replaceFile(path_, text);
  };
  {
    const std::jthread first(write, old_), second(write, new_);
  }
  EXPECT_TRUE(content() == old_ || content() == new_);
  EXPECT_EQ(files(), 1);
}

// Else who waits for it would have its own temporary file taken away.
TEST_F(ReplaceFile, AWriterThatFailsHoldsItsTemporaryUntilThatIsGone) {
  static std::string temporary;
  static bool wasFree = true;
  temporary = folder_ + "/.document.json.new";
  disk::fault = [](const char* call) {
    if (std::string_view(call) == "rename") return EIO;
    if (std::string_view(call) != "unlink") return 0;
    const Fd other(::open(temporary.c_str(), O_WRONLY | O_CLOEXEC));
    wasFree = !other || ::flock(other.get(), LOCK_EX | LOCK_NB) == 0;
    return 0;
  };
  const std::string sentence = refusal([&] { replaceFile(path_, new_); });
  disk::fault = nullptr;
  EXPECT_EQ(sentence, strCat("cannot write ", path_, ": Input/output error"));
  EXPECT_FALSE(wasFree);
  EXPECT_EQ(files(), 0);
}

// Holds the n-th temporary name, as a writer does that was stopped within a call.
Fd frozenWriter(const std::string& folder, int number) {
  Fd file(::open(strCat(folder, "/.document.json.new", number == 1 ? "" : std::to_string(number)).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  EXPECT_EQ(::flock(file.get(), LOCK_EX | LOCK_NB), 0);
  return file;
}

TEST_F(ReplaceFile, AFrozenWriterHoldsNobodyUp) {
  put(old_);
  std::vector<Fd> frozen;
  for (int number = 1; number < 16; ++number) {
    frozen.push_back(frozenWriter(folder_, number));
    replaceFile(path_, strCat(number));
    EXPECT_EQ(content(), strCat(number));
    EXPECT_EQ(files(), 1 + number) << "theirs stay, ours are gone";
  }
  frozen.push_back(frozenWriter(folder_, 16));
  EXPECT_EQ(refusal([&] { replaceFile(path_, new_); }), strCat("cannot write ", path_, " (the file there stays as it was): Device or resource busy"));
  EXPECT_EQ(content(), "15");
  EXPECT_EQ(files(), 17);
}

TEST_F(ReplaceFile, WhatKilledWritersLeftGoesWhateverItsNumber) {
  for (const int number : {1, 2, 9, 16}) frozenWriter(folder_, number);  // locked no more
  replaceFile(path_, new_);
  EXPECT_EQ(content(), new_);
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, TheNameOfTheFolderIsInTheSentenceWhereThereIsNone) {
  EXPECT_EQ(refusal([&] { replaceFile(folder_ + "/none/x", new_); }), strCat("cannot write ", folder_, "/none/x: No such file or directory"));
}

}  // namespace
}  // namespace paceline::tests
