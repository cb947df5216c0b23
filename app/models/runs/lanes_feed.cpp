#include "app/models/runs/lanes_feed.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "storage/store/store.h"

namespace paceline::runs {
namespace {

// What follows a run that goes on takes at most a fifth of a core, however many lanes it has. ms
constexpr int kLeastRest = 100, kRest = 4;

}  // namespace

struct LanesFeed::Source {
  std::unique_ptr<store::StoreReader> reader;
  std::optional<lanes::StoredLanes> stored;
  std::string run;

  std::shared_ptr<const lanes::Timeline> read(const std::string& path, const std::string& id, const Part& part) {
    if (!reader && !std::filesystem::exists(path)) return nullptr;
    if (!reader) reader = std::make_unique<store::StoreReader>(path);
    if (!stored || run != id) stored.emplace(*reader, run = id);
    return std::make_shared<const lanes::Timeline>(lanes::foldedToFit(stored->between(part.begin, part.end, part.rounds)));
  }
};

LanesFeed::LanesFeed(std::string storePath, QObject* parent) : QObject(parent), path_(std::move(storePath)), source_(std::make_shared<Source>()) {
  rest_.setSingleShot(true);
  connect(&rest_, &QTimer::timeout, this, [this] {
    if (newer_) read();
  });
}
LanesFeed::~LanesFeed() = default;

void LanesFeed::follow(const std::string& run) {
  ++generation_;
  run_ = run;
  part_ = {.rounds = part_.rounds};
  reading_ = again_ = newer_ = false;
  rest_.stop();
  timeline_ = std::make_shared<const lanes::Timeline>();
  emit updated();
  tasks_.post([source = source_](const std::stop_token&) { source->stored.reset(); });  // its records may be others than when it was last followed
  read();
}

void LanesFeed::look(const std::string& run) {
  if (run != run_) return;
  newer_ = true;
  if (!reading_ && !rest_.isActive()) read();
}

void LanesFeed::want(const Part& part) {
  if (std::exchange(part_, part) == part) return;
  read();
}

void LanesFeed::read() {
  if (run_.empty()) return;
  again_ = reading_;
  if (std::exchange(reading_, true)) return;
  newer_ = false;
  took_.start();
  const auto work = [source = source_, path = path_, run = run_, part = part_](const std::stop_token&) {
    try {
      return source->read(path, run, part);
    } catch (const std::exception&) {
      source->stored.reset();
      source->reader.reset();
      throw;
    }
  };
  inBackground(tasks_, this, work, [this, generation = generation_](const std::shared_ptr<const lanes::Timeline>& answer, const QString& error) {
    if (generation != generation_) return;
    reading_ = false;
    rest_.start(std::max(kLeastRest, kRest * static_cast<int>(took_.elapsed())));
    if (!error.isEmpty()) emit failed(error);
    if (answer) {
      timeline_ = answer;
      emit updated();
    }
    if (again_) read();
  });
}

}  // namespace paceline::runs
