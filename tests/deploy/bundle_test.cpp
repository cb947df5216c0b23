// The libraries of the real worker, and the whole deployment into a machine that has nothing but the C library: a bare chroot.
#include "app/cluster/deploy/files.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>

#include "app/cluster/deploy/elf.h"
#include "app/cluster/hosts/host.h"
#include "engine/core/base/text.h"
#include "engine/core/spec/catalog.h"
#include "tests/deploy/deploy_fixture.h"

namespace paceline::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const char* const kTools[] = {"cat", "chmod", "mkdir", "mv", "rm", "uname"};

// Everything the host is asked to start, it starts inside of a folder.
class ChrootHost final : public hosts::Host {
 public:
  explicit ChrootHost(std::string root) : root_(std::move(root)), outside_(hosts::localHost("bare", {{"HOME", "/"}, {"XDG_CACHE_HOME", "/cache"}, {"PATH", "/bin"}})) {}
  std::string name() const override { return "bare"; }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>& command) override {
    std::vector<std::string> inside = {"/usr/sbin/chroot", root_};
    inside.insert(inside.end(), command.begin(), command.end());
    return outside_->start(inside);
  }

 private:
  std::string root_;
  std::unique_ptr<hosts::Host> outside_;
};

std::string outputOf(const std::string& script, const std::string& argument) {
  const hosts::CommandResult result = hosts::runOn(*hosts::localHost(), {"sh", "-c", script, "sh", argument});
  return result.lines.empty() ? "" : result.lines.front();
}

class BareMachine : public DeployTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may chroot";
    ::setenv("PACELINE_BIN", PACELINE_BIN_DIR, 1);
    const deploy::ElfFile worker = deploy::readElf(hosts::localProgram("paceline-worker"));
    take(worker.interpreter, worker.interpreter);
    const fs::path libc = outputOf(R"sh(LD_TRACE_LOADED_OBJECTS=1 "$1" | sed -n 's/.*libc\.so\.6 => \(.*\) (.*/\1/p')sh", worker.path);
    for (const char* name : {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1"})
      if (fs::exists(libc.parent_path() / name)) take(libc.parent_path() / name, libc.parent_path() / name);
    take("/bin/dash", "/bin/sh");
    for (const char* tool : kTools) takeTool(tool, worker.interpreter);
    bool mounted = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    for (const std::string folder : {"/proc", "/dev"}) {  // every machine has them; LibTorch reads /proc/cpuinfo and /dev/urandom
      fs::create_directories(root().string() + folder);
      mounted = mounted && ::mount(folder.c_str(), (root().string() + folder).c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
    }
    if (!mounted) GTEST_SKIP() << "this user may not mount a file system";
  }
  void TearDown() override {
    for (const char* folder : {"/proc", "/dev"}) ::umount2((root().string() + folder).c_str(), MNT_DETACH);
  }

  void take(const fs::path& from, const fs::path& to) const {
    const fs::path target = root() / to.relative_path();
    fs::create_directories(target.parent_path());
    fs::copy_file(fs::canonical(from), target, fs::copy_options::skip_existing);
  }
  // The shell's tools have libraries of their own, which nobody else shall find.
  void takeTool(const std::string& tool, const std::string& loader) const {
    take("/bin/" + tool, "/tools/" + tool);
    const hosts::CommandResult libraries = hosts::runOn(*hosts::localHost(), {"sh", "-c", R"sh(LD_TRACE_LOADED_OBJECTS=1 "$1" | sed -n 's/.* => \(.*\) (.*/\1/p')sh", "sh", "/bin/" + tool});
    for (const std::string& path : libraries.lines) take(path, "/tools/lib" / fs::path(path).filename());
    put("root/bin/" + tool, strCat("#!/bin/sh\nexec ", loader, " --library-path /tools/lib /tools/", tool, " \"$@\"\n"), true);
  }

  fs::path root() const { return folder_ / "root"; }
};

RunSpec fewRounds() {
  const Json document = {{"paceline", 1},
                         {"name", "bare"},
                         {"algorithm", {{"id", "ssgd"}}},
                         {"model", {{"id", "logistic"}}},
                         {"dataset", {{"id", "synthetic"}}},
                         {"nodes", {{{"id", "w0"}}, {{"id", "w1"}}, {{"id", "s0"}, {"role", "server"}}}},
                         {"stop", {{"rounds", 3}}}};
  return parseRunSpec(document.dump()).spec;
}

double secondsOf(hosts::Host& host, const std::vector<std::string>& command) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(hosts::runOn(host, command).end.code, 0);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(BareMachine, GetsTheLibrariesAndTrains) {
  ChrootHost host(root().string());
  deploy::DeployProgress last;
  std::int64_t sent = 0;
  const hosts::Installation installation = deploy::deploy(host, {.datasets = {}, .libraries = "", .onProgress = [&](const deploy::DeployProgress& p) { last = p, sent = p.bytesSent; }, .stop = {}});
  ASSERT_EQ(installation.env.at("LD_LIBRARY_PATH"), installation.folder + "/lib");
  const std::string libraries = "LD_LIBRARY_PATH=" + installation.env.at("LD_LIBRARY_PATH"), worker = installation.program("paceline-worker");
  const auto with = [&](const std::string& arguments) { return std::vector<std::string>{"sh", "-c", libraries + " exec \"$1\" " + arguments, "sh", worker}; };

  EXPECT_THAT(hosts::runOn(host, with("version")).lines, Contains(StartsWith("paceline-worker " PACELINE_VERSION " (LibTorch ")));
  const std::string document = toJsonText(fewRounds());
  const hosts::CommandResult run = hosts::runOn(host, with("simulate -"), {.input = &document});
  ASSERT_EQ(run.end.code, 0) << run.end.errors;
  EXPECT_THAT(run.lines.back(), HasSubstr("\"finished\""));
  std::cout << "bundle: " << bytesText(deploy::libraryBundle()->bytes()) << ", sent as " << bytesText(sent) << "; start with it " << secondsOf(host, with("version"))
            << " s, with the system's libraries " << secondsOf(*hosts::localHost(), {hosts::localProgram("paceline-worker"), "version"}) << " s\n";
}

TEST_F(BareMachine, GetsTheDataSetThatItLacks) {
  const Catalog catalog = parseCatalog(hosts::runOn(*hosts::localHost(), {"sh", "-c", "exec \"$1\" describe | tr -d '\\n'", "sh", hosts::localProgram("paceline-worker")}).lines.at(0));
  if (findEntry(catalog.datasets, "fashion_mnist")->location.empty()) GTEST_SKIP() << "Fashion-MNIST is not on this computer";
  ChrootHost host(root().string());
  const hosts::Installation installation = deploy::deploy(host, {.datasets = {"fashion_mnist", "synthetic"}, .libraries = "", .onProgress = {}, .stop = {}});
  EXPECT_EQ(installation.env.at("PACELINE_DATA"), installation.folder + "/data");
  const fs::path there = root() / fs::path(installation.folder + "/data/fashion-mnist").relative_path();
  const fs::path here = findEntry(catalog.datasets, "fashion_mnist")->location;
  for (const auto& entry : fs::directory_iterator(here)) EXPECT_EQ(contentOf(there / entry.path().filename()), contentOf(entry.path()));
}

TEST(LibraryBundle, LeavesOutWhatIsNotUsed) {
  ::setenv("PACELINE_BIN", PACELINE_BIN_DIR, 1);
  const deploy::LeanSet lean = deploy::leanSetOf(hosts::localProgram("paceline-worker"));
  std::cout << lean.closure.size() << " libraries, " << lean.kept.size() << " of them used, " << lean.replaced.size() << " named only\n";
  EXPECT_THAT(lean.kept, Contains(StartsWith("libtorch_cpu.so")));
  EXPECT_THAT(lean.kept, Contains(StartsWith("libzmq.so")));
  EXPECT_THAT(lean.kept, Contains("libstdc++.so.6"));
  for (const std::string& soname : lean.kept) EXPECT_THAT(lean.replaced, Not(Contains(soname)));
  for (const std::vector<std::string>* list : {&lean.kept, &lean.replaced, &lean.closure}) EXPECT_THAT(*list, Not(Contains("libc.so.6")));
  EXPECT_LT(lean.kept.size(), lean.closure.size());
  EXPECT_FALSE(deploy::olderVersion(deploy::bundleNeeds().glibc, deploy::elfNeeds({hosts::localProgram("paceline-worker")}).glibc));
}

}  // namespace
}  // namespace paceline::tests
