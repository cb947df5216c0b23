#include <filesystem>

#include "app/cluster/hosts/host.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/cluster/interop/cluster_files.h"
#include "app/cluster/interop/host_import.h"
#include "app/cluster/recorder/protocol.h"
#include "app/cluster/run/agent_client.h"
#include "app/figures/figure.h"
#include "app/report/resolve.h"
#include "storage/interchange/interop.h"
#include "tests/fuzz/targets.h"

namespace paceline::fuzz {
namespace {

// A store that all inputs of this process are imported into and thrown out of again.
class Store {
 public:
  store::StoreWriter& writer() { return writer_; }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  Folder folder_;
  store::StoreWriter writer_{folder_.path() + "/store.db"};
};

struct Undone {};

// The input as FILE below the store's folder, imported as WHAT there, then taken back: a run that is in the store already would be refused.
void imported(Input input, const char* file, const char* what) {
  static Store store;
  const std::filesystem::path path = store.folder() / file;
  std::filesystem::create_directories(path.parent_path());
  const InputFile bytes(input);
  std::filesystem::copy_file(bytes.path(), path, std::filesystem::copy_options::overwrite_existing);
  try {
    store.writer().together([&] {
      interchange::importPath(store.writer(), (store.folder() / what).string());
      throw Undone{};
    });
  } catch (const Undone&) {}
}

void bundle(Input input) { imported(input, "bundle.json", "bundle.json"); }
void esyncTree(Input input) { imported(input, "tree/alexnet/esync/host/gpu0/iter-1.txt", "tree"); }

// Whichever tool's its bytes say they are.
void foreign(Input input) {
  static Folder folder;
  const std::string path = folder.path() + "/foreign";
  std::filesystem::copy_file(InputFile(input).path(), path, std::filesystem::copy_options::overwrite_existing);
  if (const interchange::ForeignFormat* format = interchange::foreignFormatOf(path, interchange::Told::kImport))
    for (const interchange::ForeignRun& run : format->read(path, {}))
      for (const interchange::ForeignSeries& series : run.series) PACELINE_CHECK(series.points.size() <= input.size(), "each number of a file takes at least a byte of it");
}

void figure(Input input) {
  const Figure read = parseFigure(std::string(textOf(input)));
  const std::string text = figureToJson(read);
  PACELINE_CHECK(figureToJson(parseFigure(text)) == text, "a figure that is written reads back as itself");
  figureToCsv(read);
}

void hostList(Input input) {
  for (std::size_t i = 0; i < std::size(interop::kHostFormats); ++i) {
    const interop::HostImport read = interop::readHosts(textOf(input), "hosts.txt", static_cast<interop::HostFormat>(i));
    PACELINE_CHECK(read.problems.empty() || read.hosts.empty(), "hosts of a file with problems are not taken");
  }
}

void hostRegistry(Input input) {
  const InputFile file(input);
  hosts::HostRegistry::load(file.path());
}

// The first byte says how much is the one file, the rest is the other.
void clusterFiles(Input input) {
  const std::string_view text = textOf(input);
  const std::size_t cut = text.empty() ? 0 : std::min<std::size_t>(text.size(), 1 + static_cast<std::size_t>(static_cast<unsigned char>(text[0])));
  const interop::NamedText first{"first", std::string(text.substr(std::min<std::size_t>(1, cut), cut - std::min<std::size_t>(1, cut)))};
  const interop::NamedText second{"second", std::string(text.substr(cut))};
  interop::readEclFiles(first, second);
  interop::readMxnetFiles(first, second, {{"w0", "a", "10.0.0.1"}, {"w1", "b", "10.0.0.2"}});
}

// A host whose agent says these lines, one after the other.
class Saying final : public hosts::Process {
 public:
  explicit Saying(std::string_view text) : text_(text) {}
  std::optional<std::string> readLine(double) override {
    if (text_.empty()) return std::nullopt;
    const std::size_t end = text_.find('\n');
    std::string line(text_.substr(0, end));
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return line;
  }
  bool ended() const override { return text_.empty(); }
  void write(std::string_view) override {}
  void closeInput() override {}
  hosts::ProcessEnd wait() override { return {}; }

 private:
  std::string_view text_;
};

class SayingHost final : public hosts::Host {
 public:
  explicit SayingHost(std::string_view text) : text_(text) {}
  std::string name() const override { return "gpu1"; }
  std::unique_ptr<hosts::Process> start(const std::vector<std::string>&) override { return std::make_unique<Saying>(text_); }

 private:
  std::string_view text_;
};

void agentSays(Input input) {
  SayingHost host(textOf(input));
  run::AgentClient agent(host, {.folder = "/nowhere", .env = {}});
  agent.list();
  agent.follow("r1", {{"w0", 0}});
  while (agent.next(0)) continue;
}

void recorderSays(Input input) {
  const std::string line(textOf(input));
  recorder::helloOf(line);
  if (const Json said = jsonOrNull(line); said.is_object()) recorder::noticeOf(said);
}

// A store with one run: "a", which has two workers and three rounds.
class RunStore {
 public:
  RunStore() {
    store::RunRow run;
    run.id = run.name = "a", run.state = store::RunState::kFinished, run.algorithm = "esync", run.model = "lenet", run.dataset = "fashion_mnist", run.partition = "iid", run.seed = 1, run.groupHash = run.configHash = "a";
    run.specText = R"({"algorithm": {"id": "esync"}, "batch_size": 64, "seed": 1, "nodes": [{"id": "w0"}, {"id": "w1"}]})";
    store::StoreWriter writer(path_);
    writer.createRun(run, std::vector<store::NodeRow>{{.run = "a", .id = "w0", .role = "worker", .host = "local", .device = "cpu", .rank = 0}, {.run = "a", .id = "w1", .role = "worker", .host = "local", .device = "cpu", .rank = 1}});
    std::vector<StampedEvent> events;
    for (int round = 1; round <= 3; ++round)
      for (const char* node : {"w0", "w1"}) {
        RoundRecord record;
        record.round = round, record.t = round, record.compute = 0.7, record.wait = 0.3, record.total = 1, record.localSteps = 1, record.samples = 64, record.bytesSent = record.bytesReceived = 1000, record.loss = 1.0 / round;
        events.push_back({"a", node, 2 * round, record});
        events.push_back({"a", node, 2 * round + 1, EvaluationRecord{.round = round, .t = 1.0 * round, .accuracy = 0.3 * round, .loss = 1.0 / round, .samples = 64 * round, .seconds = 0}});
      }
    writer.append(events);
  }
  const std::string& path() const { return path_; }

 private:
  Folder folder_;
  std::string path_ = folder_.path() + "/store.db";
};

void reportText(Input input) {
  static const RunStore store;
  report::Records records(store.path());
  const report::Report made = report::resolved(report::parse(textOf(input)), records, {}, {});
  report::toLatex(made);
  report::toHtml(made, [](const report::Picture&) { return std::string(); });
}

constexpr Target kDesktopTargets[] = {{"bundle", bundle},          {"esync_tree", esyncTree},         {"foreign", foreign},         {"figure", figure},         {"report", reportText},     {"host_list", hostList},
                               {"host_registry", hostRegistry}, {"cluster_files", clusterFiles}, {"agent_says", agentSays}, {"recorder_says", recorderSays}};

}  // namespace

std::span<const Target> desktopTargets() { return kDesktopTargets; }

}  // namespace paceline::fuzz
