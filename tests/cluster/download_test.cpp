#include "app/cluster/deploy/download.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "tests/cluster/http_server.h"
#include "tests/support/disk_faults.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string textOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class DownloadTest : public ::testing::Test {
 protected:
  DownloadTest() {
    folder_ = tests::ownFolder();
    std::uint32_t state = 7;
    for (int i = 0; i < 300000; ++i) content_.push_back(static_cast<char>((state = state * 1664525U + 1013904223U) >> 24));
  }

  std::string path() const { return folder_ + "/below/a.bin"; }
  deploy::Download wanted(const std::string& base) const {
    return {.url = base + "/a.bin", .path = path(), .bytes = static_cast<std::int64_t>(content_.size()), .sha256 = sha256Hex(content_)};
  }
  void leavePart(const std::string& bytes) {
    std::filesystem::create_directories(folder_ + "/below");
    std::ofstream(path() + ".part", std::ios::binary) << bytes;
  }
  std::vector<std::string> names() const {  // what lies beside it
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/below")) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
  std::pair<Errc, std::string> refusal(const deploy::Download& what) {
    try {
      deploy::download(what);
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {Errc::kUsage, "nothing thrown"};
  }

  std::string folder_, content_;
};

TEST_F(DownloadTest, FetchesAndVerifies) {
  const HttpServer server({{"a.bin", content_}});
  deploy::DownloadProgress last;
  deploy::Download what = wanted(server.url());
  what.onProgress = [&](const deploy::DownloadProgress& progress) { last = progress; };
  const deploy::Downloaded got = deploy::download(what);
  EXPECT_EQ(textOf(path()), content_);
  EXPECT_THAT(names(), ElementsAre("a.bin"));
  EXPECT_EQ(got.fetched, 300000);
  EXPECT_FALSE(got.resumed || got.there);
  EXPECT_EQ(last.bytesDone, 300000);
  EXPECT_TRUE(deploy::download(what).there);
  EXPECT_THAT(server.asked(), ElementsAre("a.bin"));  // the second time nobody was asked
}

TEST_F(DownloadTest, GoesOnWhereAnEarlierTryBrokeOff) {
  const HttpServer server({{"a.bin", content_}});
  leavePart(content_.substr(0, 123456));
  const deploy::Downloaded got = deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
  EXPECT_TRUE(got.resumed);
  EXPECT_EQ(got.fetched, 300000 - 123456);
  EXPECT_THAT(server.asked(), ElementsAre("a.bin from 123456"));
}

TEST_F(DownloadTest, BeginsAnewWhereTheServerKnowsNoRanges) {
  const HttpServer server({{"a.bin", content_}}, {.ranges = false});
  leavePart(content_.substr(0, 123456));
  const deploy::Downloaded got = deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
  EXPECT_FALSE(got.resumed);
  EXPECT_EQ(got.fetched, 300000);
}

TEST_F(DownloadTest, MakesABrokenConnectionAgain) {
  const HttpServer server({{"a.bin", content_}}, {.breakAfter = 100000, .breaks = 2});
  const deploy::Downloaded got = deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
  EXPECT_EQ(got.fetched, 300000);
  EXPECT_THAT(server.asked(), ElementsAre("a.bin", "a.bin from 100000", "a.bin from 200000"));
}

TEST_F(DownloadTest, KeepsWhatCameWhenItIsBrokenOffForGood) {
  {
    const HttpServer server({{"a.bin", content_}}, {.breakAfter = 1000, .breaks = 1000});
    const auto [code, message] = refusal(wanted(server.url()));
    EXPECT_EQ(code, Errc::kHost);
    EXPECT_THAT(message, ::testing::MatchesRegex("127.0.0.1:[0-9]+ broke off the download of http://127.0.0.1:[0-9]+/a.bin \\(.*\\); the same command goes on from 6.0 kB"));
  }
  EXPECT_EQ(textOf(path() + ".part"), content_.substr(0, 6000));
  const HttpServer server({{"a.bin", content_}});
  EXPECT_TRUE(deploy::download(wanted(server.url())).resumed);
  EXPECT_EQ(textOf(path()), content_);
}

TEST_F(DownloadTest, APartOfAnotherFileIsThrownAway) {
  const HttpServer server({{"a.bin", content_}});
  leavePart(std::string(5000, 'x'));
  const deploy::Downloaded got = deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
  EXPECT_FALSE(got.resumed);
  EXPECT_THAT(server.asked(), ElementsAre("a.bin from 5000", "a.bin"));
  std::filesystem::remove(path());
  leavePart(std::string(300000, 'x'));  // as long as it should be
  deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
  std::filesystem::remove(path());
  leavePart(std::string(400000, 'x'));  // longer
  deploy::download(wanted(server.url()));
  EXPECT_EQ(textOf(path()), content_);
}

TEST_F(DownloadTest, AWrongChecksumKeepsTheFileAside) {
  std::string other = content_;
  other[1000] ^= 1;
  const HttpServer server({{"a.bin", other}});
  const auto [code, message] = refusal(wanted(server.url()));
  EXPECT_EQ(code, Errc::kFormat);
  EXPECT_EQ(message, server.url() + "/a.bin: its SHA-256 is " + sha256Hex(other) + ", the published one is " + sha256Hex(content_) + "; the file is kept as " + path() + ".bad");
  EXPECT_THAT(names(), ElementsAre("a.bin.bad"));
}

TEST_F(DownloadTest, AnotherSizeIsRefusedAsSoonAsItShows) {
  const HttpServer longer({{"a.bin", content_ + "more"}});
  EXPECT_EQ(refusal(wanted(longer.url())).second, longer.url() + "/a.bin: the server sends more than the 300000 bytes that were published");
  const HttpServer shorter({{"a.bin", content_.substr(0, 10)}});
  EXPECT_EQ(refusal(wanted(shorter.url())).second, shorter.url() + "/a.bin: the server's file has 10 bytes, the published one 300000");
}

TEST_F(DownloadTest, SaysWhatTheServerAnswers) {
  const HttpServer none({});
  EXPECT_EQ(refusal(wanted(none.url())), std::pair(Errc::kHost, none.url() + "/a.bin: the server answers 404 (not found)"));
  EXPECT_THAT(names(), ElementsAre());
  const HttpServer ill({{"a.bin", content_}}, {.status = 503});
  EXPECT_EQ(refusal(wanted(ill.url())).second, ill.url() + "/a.bin: the server answers 503");
}

TEST_F(DownloadTest, NamesTheHostThatIsNotThere) {
  EXPECT_THAT(refusal(wanted("http://no-such-host.invalid")).second, ::testing::StartsWith("no-such-host.invalid cannot be found; is there a network? ("));
  std::string gone;
  {
    const HttpServer server({});
    gone = server.url();
  }
  EXPECT_THAT(refusal(wanted(gone)).second, ::testing::StartsWith(gone.substr(7) + " cannot be reached; is there a network? ("));
}

TEST_F(DownloadTest, SpeaksHttpOnly) {
  std::ofstream(folder_ + "/a.bin") << "x";
  EXPECT_THAT(refusal(wanted("file://" + folder_)).second, HasSubstr("file"));
}

TEST_F(DownloadTest, StopsWhenAsked) {
  const HttpServer server({{"a.bin", content_}});
  std::stop_source source;
  deploy::Download what = wanted(server.url());
  source.request_stop();
  what.stop = source.get_token();
  EXPECT_EQ(refusal(what).first, Errc::kStopped);
}

TEST_F(DownloadTest, OneProcessAtATime) {
  const HttpServer server({{"a.bin", content_}});
  std::filesystem::create_directories(std::filesystem::path(path()).parent_path());
  const int other = ::open((path() + ".part").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_EQ(refusal(wanted(server.url())), std::pair(Errc::kLocked, path() + ".part: another process is downloading it"));
  ::close(other);
}

TEST_F(DownloadTest, AFileThatCannotGrowIsNamedAndGoneOnWith) {
  const HttpServer server({{"a.bin", content_}});
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small {.rlim_cur = 65536, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto [code, message] = refusal(wanted(server.url()));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(code, Errc::kFile);
  EXPECT_EQ(message, path() + ".part: cannot be written: File too large");
  EXPECT_TRUE(deploy::download(wanted(server.url())).resumed);
  EXPECT_EQ(textOf(path()), content_);
}

// With any of its calls failing, or killed before any of them, a download leaves nothing under the file's name, or all of it, and the next one goes on.
class DownloadFaults : public DownloadTest {
 protected:
  void expectAllOrNothing(const std::string& where, const std::string& sentence) {
    if (std::filesystem::exists(path())) {
      EXPECT_TRUE(textOf(path()) == content_) << where;
    } else {
      EXPECT_FALSE(where == "no call failed") << where;
      const std::string part = textOf(path() + ".part");
      EXPECT_TRUE(content_.starts_with(part)) << where;
    }
    EXPECT_TRUE(sentence.empty() || sentence.find(folder_ + "/below") != std::string::npos) << sentence << " at " << where;
    deploy::download(wanted(server_.url()));
    EXPECT_TRUE(textOf(path()) == content_) << where;
    EXPECT_THAT(names(), ElementsAre("a.bin")) << where;
    std::filesystem::remove_all(folder_ + "/below");
  }

  const HttpServer server_{std::map<std::string, std::string>{{"a.bin", content_}}};
};

TEST_F(DownloadFaults, EachCallThatFailsIsNamedAndTheNextTryGoesOn) {
  const int calls = failEveryCall([this] { deploy::download(wanted(server_.url())); },
                                  [this](const std::string& where, const std::string& sentence) { expectAllOrNothing(where, sentence); });
  EXPECT_GE(calls, 8) << "mkdir, open, writes, fsync, rename, open folder, fsync folder";
}

TEST_F(DownloadFaults, AKillBeforeEachCallLosesNothingThatHasArrived) {
  const int calls = killBeforeEveryCall([this] { deploy::download(wanted(server_.url())); }, [this](const std::string& where) { expectAllOrNothing(where, ""); });
  EXPECT_GE(calls, 8);
}

TEST_F(DownloadFaults, APartOfAnotherFileIsThrownAwayWhicheverCallFails) {
  const auto other = [this] { leavePart(std::string(5000, 'x')); };
  other();
  failEveryCall([this] { deploy::download(wanted(server_.url())); },
                [&](const std::string& where, const std::string& sentence) {
                  EXPECT_TRUE(!std::filesystem::exists(path()) || textOf(path()) == content_) << where << ": " << sentence;
                  deploy::download(wanted(server_.url()));
                  EXPECT_TRUE(textOf(path()) == content_) << where;
                  std::filesystem::remove_all(folder_ + "/below");
                  other();
                },
                {ENOSPC, EIO});
}

TEST_F(DownloadTest, AFolderThatCannotBeMadeIsNamed) {
  std::ofstream(folder_ + "/below") << "a file";
  EXPECT_THAT(refusal(wanted("http://127.0.0.1:1")).second, ::testing::StartsWith("cannot make the folder " + folder_ + "/below: "));
}

}  // namespace
}  // namespace paceline::tests
