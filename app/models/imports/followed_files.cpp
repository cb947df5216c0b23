#include "app/models/imports/followed_files.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

namespace fs = std::filesystem;

std::string printOf(const fs::path& file) {
  std::error_code gone;
  const auto size = fs::file_size(file, gone);
  const auto time = fs::last_write_time(file, gone);
  return gone ? "" : strCat(size, " ", time.time_since_epoch().count(), "\n");
}

// "": it is not there.
std::string printBelow(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return printOf(path);
  std::string all;
  for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) all += entry->path().string() + " " + printOf(entry->path());
  return all;
}

}  // namespace

FollowedFiles::FollowedFiles(RecorderLink& recorder, QObject* parent) : QObject(parent), recorder_(recorder) {
  timer_.setInterval(std::chrono::seconds(1));
  connect(&timer_, &QTimer::timeout, this, &FollowedFiles::look);
  connect(&recorder_, &RecorderLink::failed, this, [this] {  // its answer does not come any more
    for (Followed& each : followed_) each.asking = false;
  });
}

void FollowedFiles::follow(const std::string& path, const std::string& profile) {
  end(path);
  followed_.push_back({.path = path, .profile = profile, .seen = ""});
  timer_.start();
  emit changed();
}

void FollowedFiles::end(const std::string& path) {
  if (std::erase_if(followed_, [&path](const Followed& each) { return each.path == path; }) == 0) return;
  if (followed_.empty()) timer_.stop();
  emit changed();
}

std::vector<std::string> FollowedFiles::paths() const {
  std::vector<std::string> all;
  for (const Followed& each : followed_) all.push_back(each.path);
  return all;
}

FollowedFiles::Followed* FollowedFiles::find(const std::string& path) {
  const auto found = std::ranges::find(followed_, path, &Followed::path);
  return found == followed_.end() ? nullptr : &*found;
}

void FollowedFiles::look() {
  if (std::exchange(looking_, true)) return;
  const auto prints = [paths = paths()](const std::stop_token&) {
    std::vector<Look> looks;
    for (const std::string& path : paths) looks.push_back({.path = path, .now = printBelow(path)});
    return looks;
  };
  inBackground(tasks_, this, prints, [this](const std::vector<Look>& looks, const QString&) { take(looks); });
}

void FollowedFiles::take(const std::vector<Look>& looks) {
  looking_ = false;
  for (const Look& each : looks)
    if (Followed* followed = find(each.path); followed != nullptr && !followed->asking && !each.now.empty() && each.now != followed->seen) importAgain(*followed, each.now);
}

void FollowedFiles::importAgain(Followed& each, const std::string& now) {
  each.asking = true;
  const auto outcome = std::make_shared<Outcome>();
  const auto ask = [outcome, path = each.path, profile = each.profile](recorder::Client& client) {
    try {
      client.importPaths({path}, profile);
    } catch (const Error& error) {
      *outcome = {.problem = error.what(), .code = error.code()};
    }
  };
  recorder_.ask(ask, [this, outcome, path = each.path, now] { imported(path, now, *outcome); });
}

void FollowedFiles::imported(const std::string& path, const std::string& now, const Outcome& outcome) {
  Followed* each = find(path);
  if (each == nullptr) return;
  each->asking = false;
  if (outcome.problem.empty()) {
    each->seen = now;
    each->patience.wasRead();
    emit grown(qtext(path));
  } else if (each->patience.isOver(outcome.code)) {
    end(path);
    emit failed(tr("%1 is not followed any more: %2").arg(qtext(path), said(outcome.problem)));
  }
}

}  // namespace paceline
