#include "app/cluster/worker/worker_answer.h"

#include <gmock/gmock.h>

#include <fstream>

#include "engine/core/base/error.h"
#include "tests/cluster/cluster_fixture.h"

namespace paceline::tests {
namespace {

class CatalogSource : public ClusterTest {
 protected:
  CatalogSource() { ::setenv("FAKE_DESCRIBE_LOG", (folder_ / "log").c_str(), 1); }
  int times() const {
    std::ifstream log(folder_ / "log");
    int lines = 0;
    for (std::string line; std::getline(log, line);) ++lines;
    return lines;
  }
  std::filesystem::path worker() {  // a copy of its own, that can be changed
    const std::filesystem::path copy = folder_ / "bin" / "own-worker";
    std::filesystem::copy_file(fakeNode(), copy, std::filesystem::copy_options::overwrite_existing);
    return copy;
  }
};

TEST_F(CatalogSource, AsksAWorkerOnce) {
  EXPECT_EQ(worker::describeLocal().torch, "9.9");
  EXPECT_EQ(worker::describeLocal().models.at(0).parameterCount, 7850);
  EXPECT_EQ(times(), 1);
}

TEST_F(CatalogSource, AsksAgainWhenTheProgramIsAnother) {
  const auto path = worker();
  worker::describeWorker(path);
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  worker::describeWorker(path);
  EXPECT_EQ(times(), 2);
}

TEST_F(CatalogSource, ADamagedCacheIsAskedAnew) {
  worker::describeLocal();
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache" / "paceline")) std::ofstream(entry.path()) << "{\"half\":";
  EXPECT_EQ(worker::describeLocal().torch, "9.9");
  worker::describeLocal();
  EXPECT_EQ(times(), 2);
}

TEST_F(CatalogSource, AWorkerThatCannotSayIsAnErrorWithItsWords) {
  std::filesystem::remove(folder_ / "bin" / "paceline-worker");
  EXPECT_THROW(worker::describeLocal(), Error);
  std::ofstream(folder_ / "bin" / "paceline-worker") << "#!/bin/sh\necho 'libtorch.so: cannot open' >&2; exit 127\n";
  std::filesystem::permissions(folder_ / "bin" / "paceline-worker", std::filesystem::perms::all);
  try {
    worker::describeLocal();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kHost);
    EXPECT_THAT(error.what(), testing::HasSubstr("libtorch.so: cannot open"));
  }
}

}  // namespace
}  // namespace paceline::tests
