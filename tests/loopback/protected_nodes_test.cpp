// Real nodes with keys over TCP: they train to the end, listen where they were told to and nowhere else, and give nothing away.
#include <gmock/gmock.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <iterator>
#include <set>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/error.h"
#include "agent/supervisor/fd.h"
#include "engine/core/record/control.h"
#include "engine/core/record/event.h"
#include "tests/loopback/loopback_fixture.h"
#include "tests/support/listening.h"
#include "tests/support/run_keys.h"

namespace paceline::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ProtectedNodes : public LoopbackTest {
 protected:
  struct Node {
    std::unique_ptr<hosts::Process> process;
    std::vector<NoticeRecord> notices;
    std::string said;
  };

  // Orders as a run's session gives them.
  void prepare(const RunSpec& spec, const std::vector<DataKeys>& keys, const std::string& bind) {
    for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
      const char* program = spec.nodes[i].role == Role::kServer ? "paceline-server" : "paceline-worker";
      nodes_.push_back({.process = hosts::localHost()->start({hosts::localProgram(program), "run"}), .notices = {}, .said = {}});
      nodes_.back().process->writeLine(toLine(Control(Prepare{.run = "r", .spec = spec, .node = static_cast<int>(i), .bind = bind, .keys = keys[i]})));
    }
  }
  NoticeRecord next(Node& node, const std::string& kind) {
    while (true) {
      const auto line = node.process->readLine(kGuardSeconds);
      if (!line) throw Error(Errc::kHost, strCat("no \"", kind, "\" came; the node said: ", node.said));
      node.said += *line + '\n';
      const Event event = parseEvent(*line);
      if (const auto* notice = std::get_if<NoticeRecord>(&event)) {
        node.notices.push_back(*notice);
        if (notice->kind == kind) return *notice;
      }
    }
  }
  Start listening() {
    Start start;
    for (Node& node : nodes_) start.endpoints.push_back(next(node, "listening").text);
    return start;
  }
  void start(const Start& start) {
    for (Node& node : nodes_) node.process->writeLine(toLine(Control(start)));
  }
  static std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::vector<Node> nodes_;
};

class WithKeys : public ProtectedNodes, public ::testing::WithParamInterface<const char*> {
 protected:
  // The nodes' ports, each of which is on the interface that was asked for.
  static std::size_t ports() {
    std::size_t count = 0;
    for (const pid_t child : childrenOf(::getpid()))
      for (const std::string& address : listeningAddresses(child)) {
        EXPECT_EQ(address, "127.0.0.1");
        ++count;
      }
    return count;
  }
};

TEST_P(WithKeys, TrainToTheEndAndGiveNothingAway) {
  const RunSpec spec = LoopbackTest::spec("asgd");
  const std::vector<DataKeys> keys = runKeys(GetParam(), spec.nodes.size());
  prepare(spec, keys, "127.0.0.1");
  const Start ready = listening();
  EXPECT_EQ(ports(), nodes_.size());
  start(ready);
  for (Node& node : nodes_) next(node, "started");
  EXPECT_LE(ports(), nodes_.size());  // some may have trained to their end
  for (const pid_t child : childrenOf(::getpid())) {
    const std::string folder = strCat("/proc/", child, "/");
    for (const char* file : {"cmdline", "environ"})
      for (const DataKeys& own : keys) EXPECT_EQ(content(folder + file).find(own.secret), std::string::npos);
  }
  // All at once: who is not read while another is waited for blocks at a full pipe.
  std::vector<std::future<NoticeRecord>> ends;
  for (Node& node : nodes_) ends.push_back(std::async(std::launch::async, [this, &node] { return next(node, "finished"); }));
  for (auto& end : ends) EXPECT_EQ(end.get().reason, "rounds");
  for (Node& node : nodes_) {
    for (const DataKeys& own : keys) EXPECT_EQ(node.said.find(own.secret), std::string::npos);
    std::vector<std::string> notes;
    for (const NoticeRecord& notice : node.notices)
      if (notice.kind == "note" && notice.reason == "protection") notes.push_back(notice.text);
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_THAT(notes[0], AllOf(StartsWith(strCat(GetParam(), " over tcp://127.0.0.1: ")), HasSubstr(" GB/s per core; plain would be ")));
    EXPECT_THAT(notes[1], AllOf(StartsWith(strCat(GetParam(), ": ")), HasSubstr("protecting them took about ")));
    EXPECT_EQ(node.process->wait().code, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Loopback, WithKeys, ::testing::Values("curve", "aes_gcm"), [](const auto& info) { return std::string(info.param); });

TEST_F(ProtectedNodes, MakeNoSocketInAFolderThatIsNotTheirUsers) {
  const std::filesystem::path given = folder_ / "nodes", other = folder_ / "other";
  std::filesystem::create_directory(other);
  std::filesystem::create_directory_symlink(other, given);
  ::setenv(kNodesFolderVariable, given.c_str(), 1);
  prepare(LoopbackTest::spec("standalone", {{"nodes", nodes(1, 0)}}), {DataKeys{}}, "ipc");
  ::unsetenv(kNodesFolderVariable);
  EXPECT_EQ(next(nodes_[0], "failed").text, strCat("cannot make a private directory in ", given.string(), ": it is no folder of this user"));
  EXPECT_TRUE(std::filesystem::is_empty(other));
}

TEST_F(ProtectedNodes, PlainDataStayInsideTheHost) {
  const RunSpec spec = LoopbackTest::spec("standalone", {{"nodes", nodes(1, 0)}});
  prepare(spec, {DataKeys{}}, "127.0.0.1");
  EXPECT_EQ(next(nodes_[0], "failed").text,
            "cannot listen on 127.0.0.1: plain data ports are only allowed inside one host (ipc); protect them with curve");
  nodes_.clear();
  prepare(spec, {DataKeys{}}, "ipc");
  EXPECT_THAT(next(nodes_[0], "listening").text, StartsWith("ipc://"));
  for (const pid_t child : childrenOf(::getpid())) EXPECT_TRUE(listeningAddresses(child).empty());
}

TEST(Listeners, AreSeenOnEveryInterface) {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in any{};
  any.sin_family = AF_INET;
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  const std::vector<std::string> addresses = listeningAddresses(::getpid());
  ASSERT_EQ(addresses.size(), 1U);
  EXPECT_TRUE(isEveryInterface(addresses[0]));
}

}  // namespace
}  // namespace paceline::tests
