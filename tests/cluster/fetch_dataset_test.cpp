// A data set as a worker program lists it, fetched from a web server on loopback.
#include "app/cluster/deploy/fetch_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "tests/cluster/http_server.h"
#include "tests/support/failure.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {


class FetchDataset : public ::testing::Test {
 protected:
  // A worker program that answers `data list` with a set "made" of two files; "empty" has none.
  void list(const std::string& url, std::int64_t bytesOfSecond) {
    const std::string worker = folder_ + "/paceline-worker";
    const auto file = [&url](const char* name, std::int64_t bytes) { return strCat(R"({"name":")", name, R"(","url":")", url, "/", name, R"(","bytes":)", bytes, R"(,"sha256":""})"); };
    std::ofstream(worker) << "#!/bin/sh\ncat <<'END'\n{\"datasets\":[{\"id\":\"made\",\"download_to\":\"" << folder_ << "/data\",\"files\":[" << file("a.bin", 300'000) << "," << file("b.bin", bytesOfSecond)
                          << "]},{\"id\":\"empty\",\"location\":\"built in\",\"built_in\":true,\"files\":[]}]}\nEND\n";
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    ::setenv("PACELINE_BIN", folder_.c_str(), 1);
  }
  void SetUp() override {
    const char* set = std::getenv("PACELINE_BIN");
    before_ = set ? set : "";
  }
  void TearDown() override { before_.empty() ? ::unsetenv("PACELINE_BIN") : ::setenv("PACELINE_BIN", before_.c_str(), 1); }

  std::vector<deploy::DatasetProgress> told_;
  deploy::FetchedDataset fetch() {
    return deploy::fetchDataset({.id = "made", .onProgress = [this](const deploy::DatasetProgress& progress) { told_.push_back(progress); }});
  }

  std::string folder_ = ownFolder(), before_;
  const HttpServer server_{{{"a.bin", std::string(300'000, 'a')}, {"b.bin", std::string(100'000, 'b')}}};
};

TEST_F(FetchDataset, TellsHowFarTheWholeSetIs) {
  list(server_.url(), 100'000);
  const deploy::FetchedDataset got = fetch();
  EXPECT_EQ(got.folder, folder_ + "/data");
  ASSERT_EQ(got.files.size(), 2u);
  EXPECT_EQ(got.files[1].got.bytes, 100'000);
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/data/b.bin"), 100'000u);
  ASSERT_GE(told_.size(), 4u);  // each file's begin and end
  EXPECT_EQ(told_.front().file, "a.bin");
  EXPECT_EQ(told_.front().bytesDone, 0);
  for (const deploy::DatasetProgress& progress : told_) EXPECT_EQ(progress.bytesTotal, 400'000);
  EXPECT_TRUE(std::ranges::is_sorted(told_, {}, &deploy::DatasetProgress::bytesDone));
  EXPECT_EQ(told_.back().bytesDone, 400'000);
}

TEST_F(FetchDataset, KnowsNoTotalWhereAFilesSizeIsNotKnown) {
  list(server_.url(), 0);
  fetch();
  for (const deploy::DatasetProgress& progress : told_) EXPECT_EQ(progress.bytesTotal, 0);
  EXPECT_EQ(told_.back().bytesDone, 400'000);
}

TEST_F(FetchDataset, AnAnswerThatIsNoneIsToldInASentence) {
  const auto saidTo = [this](const char* answer) -> std::string {
    const std::string worker = folder_ + "/paceline-worker";
    std::ofstream(worker) << "#!/bin/sh\ncat <<'END'\n" << answer << "\nEND\n";
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    ::setenv("PACELINE_BIN", folder_.c_str(), 1);
    return failureOf([] { deploy::fetchDataset({.id = "made"}); }, Errc::kFormat);
  };
  EXPECT_EQ(saidTo("{}"), "local: paceline-worker data list: /datasets: is required");
  EXPECT_EQ(saidTo(R"({"datasets":[{"id":7,"files":[]}]})"), "local: paceline-worker data list: /datasets/0/id: \"id\" must be a text; it is 7.");
  EXPECT_EQ(saidTo(R"({"datasets":[{"id":"made","files":[{"name":"a","url":"b","bytes":-1}]}]})"),
            "local: paceline-worker data list: /datasets/0/files/0/bytes: \"bytes\" must be at least 0; it is -1.");
  EXPECT_EQ(saidTo(R"({"datasets":[{"id":"made","files":"all"}]})"), "local: paceline-worker data list: /datasets/0/files: \"files\" must be an array; it is \"all\".");
}

TEST_F(FetchDataset, ASetThatIsMadeFromTheSeedIsNotFetched) {
  list(server_.url(), 1);
  try {
    deploy::fetchDataset({.id = "empty"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "data set \"empty\" has nothing to download: it is made from the seed");
  }
}

}  // namespace
}  // namespace paceline::tests
