#include "agent/supervisor/supervise/supervisor.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/core/json/json_text.h"

namespace paceline::supervise {
namespace {

constexpr std::size_t kEnoughEvents = 256 << 10;  // do not take more from the spools while this much waits
constexpr double kBeatSeconds = 2;
constexpr std::size_t kTooMuchOutput = 4 << 20;   // do not read requests while this much waits

std::string jsonText(const std::string& text) { return dumped(Json(text)); }

}  // namespace

Client::Client(Fd connection, Answer answer) : connection_(std::move(connection)), answer_(std::move(answer)) {}

void Client::watch(Watches& watches) {
  if (gone()) return;
  const bool waiting = sent_ < output_.size() || moreInSpools_;
  const bool reading = !ended_ && output_.size() - sent_ < kTooMuchOutput;
  const short events = static_cast<short>((reading ? POLLIN : 0) | (waiting ? POLLOUT : 0));
  watches.push_back({connection_.get(), events, [this](short ready) {
                       if ((ready & POLLOUT) != 0) flush();
                       if (!gone() && (ready & (POLLIN | POLLHUP | POLLERR)) != 0) readRequests(ready);
                     }});
}

void Client::say(const std::string& line) { output_.append(line).append("\n"); }

void Client::readRequests(short ready) {
  if (ended_) return (ready & (POLLHUP | POLLERR)) != 0 ? connection_.close() : void();
  char buffer[64 << 10];
  const ssize_t got = ::recv(connection_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got < 0) return connection_.close();
  if (got == 0) {  // it will ask no more: what was asked is still answered
    ended_ = true;
    follows_.clear();
    return;
  }
  heard_ = steadySeconds();
  requests_.feed({buffer, static_cast<std::size_t>(got)});
  ::explicit_bzero(buffer, static_cast<std::size_t>(got));
  while (const auto line = requests_.next())
    if (line->cut || !line->text.empty()) say(answer_(*this, *line));
}

void Client::lease(double seconds) {
  leaseSeconds_ = seconds;
  heard_ = nextBeat_ = steadySeconds();
}

void Client::keepLease() {
  if (leaseSeconds_ <= 0 || gone()) return;
  const double now = steadySeconds();
  if (now - heard_ >= leaseSeconds_) return connection_.close();
  if (now < nextBeat_) return;
  nextBeat_ = now + std::min(kBeatSeconds, leaseSeconds_ / 3);
  if (output_.size() - sent_ < kEnoughEvents) say(strCat("{\"beat\":", ++beats_, "}"));
}

std::optional<double> Client::nextWake() const {
  if (leaseSeconds_ <= 0 || gone()) return std::nullopt;
  return std::min(nextBeat_, heard_ + leaseSeconds_);
}

void Client::follow(const Run& run, const std::map<std::string, std::int64_t>& from) {
  std::vector<Source> sources;
  for (const auto& [node, spool] : run.spools()) {
    const auto after = from.find(node);
    sources.push_back({node, spool::SpoolCursor(spool, after == from.end() ? 0 : after->second)});
  }
  follows_.insert_or_assign(run.name(), std::move(sources));
}

bool Client::pumpOnce(const std::string& run, std::vector<Source>& sources) {
  bool any = false;
  for (Source& source : sources) {
    const auto record = source.cursor.next();
    if (!record) continue;
    any = true;
    output_.append("{\"event\":").append(record->payload).append(",\"node\":").append(jsonText(source.node));
    output_.append(",\"run\":\"").append(run).append("\",\"seq\":").append(std::to_string(record->seq)).append("}\n");
  }
  return any;
}

bool Client::pumpRun(const std::string& run, std::vector<Source>& sources, bool over) {
  try {
    bool more = true;
    while (output_.size() - sent_ < kEnoughEvents && more) more = pumpOnce(run, sources);
    moreInSpools_ = moreInSpools_ || more;
    if (!over || more) return false;
    say(strCat("{\"ended\":\"", run, "\"}"));
  } catch (const Error& error) {
    say(strCat("{\"broken\":\"", run, "\",\"error\":", jsonText(error.what()), "}"));
  }
  return true;
}

void Client::pump(const std::function<bool(const std::string&)>& active) {
  moreInSpools_ = false;
  for (auto follow = follows_.begin(); follow != follows_.end() && !gone();) {
    const bool done = pumpRun(follow->first, follow->second, !active(follow->first));
    follow = done ? follows_.erase(follow) : std::next(follow);
  }
  flush();
}

void Client::flush() {
  while (!gone() && sent_ < output_.size()) {
    const ssize_t written = ::send(connection_.get(), output_.data() + sent_, output_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written > 0) {
      if (output_.size() - sent_ >= kTooMuchOutput) heard_ = steadySeconds();  // it is not read meanwhile, so this is its sign of life
      sent_ += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return connection_.close();
    }
  }
  if (sent_ == output_.size() || sent_ > kTooMuchOutput) {
    output_.erase(0, sent_);
    sent_ = 0;
  }
  if (ended_ && output_.empty()) connection_.close();
}

}  // namespace paceline::supervise
