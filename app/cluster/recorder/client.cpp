#include "app/cluster/recorder/client.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <filesystem>

#include "app/cluster/recorder/protocol.h"
#include "app/cluster/recorder/reach.h"
#include "app/cluster/recorder/service.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {
namespace {

constexpr double kLockedSeconds = 6;    // the store is another process's: one that is just leaving, perhaps
constexpr double kLeaveSeconds = 8;     // for a recorder that was asked to leave
constexpr double kHelloSeconds = 30;   // an import may keep it busy
constexpr int kMostAttempts = 20;       // of a request whose recorder goes away

struct Gone {};  // the connection broke

std::string absolute(const std::string& path) {
  std::error_code ignored;
  const auto whole = std::filesystem::absolute(path, ignored);
  return ignored ? path : whole.string();
}

std::vector<Entry> entriesFrom(const Json& list) {
  std::vector<Entry> entries;
  for (const Json& entry : list) entries.push_back(readFrom<Entry>(entry));
  return entries;
}

}  // namespace

struct Client::Impl {
  std::string store;
  ClientOptions options;
  std::unique_ptr<Service> service;  // in-process
  std::jthread serving;
  std::optional<Channel> channel;
  std::deque<Notice> notices;
  Fd readable, pending;  // readable: of whoever waits; pending: notices has some
  std::int64_t nextId = 1;

  Impl(std::string path, ClientOptions given)
      : store(absolute(path)), options(std::move(given)), readable(::epoll_create1(EPOLL_CLOEXEC)), pending(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    watch(pending.get());
  }

  ~Impl() {
    channel.reset();
    serving = {};
  }

  void watch(int fd) {
    epoll_event event{.events = EPOLLIN, .data = {}};
    ::epoll_ctl(readable.get(), EPOLL_CTL_ADD, fd, &event);
  }

  void put(Notice notice) {
    notices.push_back(std::move(notice));
    ::eventfd_write(pending.get(), 1);
  }

  std::optional<Notice> taken() {
    if (notices.empty()) return std::nullopt;
    Notice notice = std::move(notices.front());
    notices.pop_front();
    eventfd_t ignored = 0;
    if (notices.empty()) ::eventfd_read(pending.get(), &ignored);
    return notice;
  }

  Fd socket(double lockedSeconds) {
    if (!options.inProcess) return reach(store, options.program, lockedSeconds);
    if (!service) {
      if (auto found = connectTo(store)) return std::move(*found);
      service = std::make_unique<Service>(ServiceOptions{.storePath = store, .idleSeconds = 1e9});
      serving = std::jthread([this](const std::stop_token& stop) { service->run(stop); });
    }
    return service->connect();
  }

  void connect() {
    double lockedSeconds = kLockedSeconds;
    for (int attempt = 1;; ++attempt) {
      channel.emplace(socket(lockedSeconds));
      const Hello own = ourHello(options.answers);
      channel->send(toLine(own));
      const auto theirs = hello();
      if (!theirs && attempt < kMostAttempts) continue;  // it was just leaving
      const bool tooOld = theirs && isOlder(own, *theirs) && (own.protocol != theirs->protocol || own.schema != theirs->schema);
      if (!theirs || tooOld) channel.reset();
      if (!theirs) throw Error(Errc::kHost, strCat("the recorder of ", store, " closes every connection"));
      if (tooOld) throw Error(Errc::kStore, strCat(store, ": its recorder is Paceline ", theirs->version, ", this is ", own.version, "; use that one"));
      if (!isOlder(*theirs, own)) break;
      channel->send(R"({"id": 0, "request": "leave"})");
      for (const double until = steadySeconds() + kLeaveSeconds; channel->open() && steadySeconds() < until;) wait(0.2), channel->receive();
      lockedSeconds = kLeaveSeconds;
    }
    watch(channel->fd());
  }

  std::optional<Hello> hello() {
    for (const double until = steadySeconds() + kHelloSeconds; steadySeconds() < until; wait(0.5)) {
      channel->receive();
      if (const auto line = channel->line()) {
        if (auto said = helloOf(*line)) return said;
        break;
      }
      if (!channel->open()) return std::nullopt;
    }
    channel.reset();
    throw Error(Errc::kHost, strCat("the recorder of ", store, " does not answer"));
  }

  void wait(double seconds) {
    pollfd polled{channel->fd(), static_cast<short>(channel->waiting() ? POLLIN | POLLOUT : POLLIN), 0};
    ::poll(&polled, 1, static_cast<int>(seconds * 1000));
    channel->flush();
  }

  // The next line: a notice is put aside, a reply returned. Throws Gone.
  std::optional<Json> read() {
    channel->receive();
    while (const auto line = channel->line()) {
      Json json = jsonOrNull(*line);
      if (!json.is_object()) continue;
      if (json.contains("id")) return json;
      if (auto notice = noticeOf(json)) put(std::move(*notice));
    }
    if (!channel->open()) throw Gone();
    return std::nullopt;
  }

  void lose() {
    channel.reset();
    put(Lost{strCat("the recorder of ", store, " went away; runs go on at their hosts")});
  }

  Json ask(const Json& request, std::int64_t id) {
    if (!channel) connect();
    channel->send(dumped(request));
    for (;; wait(1)) {
      while (const auto reply = read()) {
        if (reply->at("id") != id) continue;
        if (reply->value("ok", false)) return reply->value("result", Json());
        throw Error(codeFromName(reply->value("code", "")), reply->value("error", "the recorder refused"));
      }
      answerAside();
    }
  }

  // Those of the questions that came while a request waits.
  void answerAside() {
    if (!options.ask) return;
    for (std::size_t i = 0; i < notices.size(); ++i) {
      const auto* asked = std::get_if<Question>(&notices[i]);
      if (asked == nullptr) continue;
      const Question question = *asked;
      notices.erase(notices.begin() + static_cast<std::ptrdiff_t>(i--));
      const auto text = options.ask(question);
      channel->send(dumped(Json{{"id", nextId++}, {"request", "answer"}, {"question", question.id}, {"text", text ? Json(*text) : Json()}}));
    }
  }

  // `again`: doing it twice does no harm, so it is asked of the next recorder when this one goes away meanwhile.
  Json submit(const Submission& submission, const Json& ids) { return request("submit", {{"submission", written(submission)}, {"context", written(contextHere())}, {"runs", ids}}); }

  Json request(const char* what, Json members = Json::object(), bool again = true) {
    const std::int64_t id = nextId++;
    members["id"] = id;
    members["request"] = what;
    for (int attempt = 1;; ++attempt) {
      try {
        return ask(members, id);
      } catch (const Gone&) {
        lose();
        if (!again || attempt == kMostAttempts) throw Error(Errc::kHost, strCat("the recorder of ", store, " went away"));
      } catch (const Json::exception&) {
        misunderstood();
      }
    }
  }

  std::vector<std::string> textsIn(const Json& list) {
    try {
      return list;
    } catch (const Json::exception&) {
      misunderstood();
    }
  }

  [[noreturn]] void misunderstood() {
    channel.reset();
    throw Error(Errc::kHost, strCat("the recorder of ", store, " said what cannot be read"));
  }
};

Client::Client(std::string storePath, ClientOptions options) : impl_(std::make_unique<Impl>(std::move(storePath), std::move(options))) {}
Client::~Client() = default;

std::vector<Entry> Client::submit(const Submission& submission) {
  Json ids = Json::array();
  for (std::size_t i = 0; i < (submission.search.empty() ? submission.points.size() : 1); ++i) ids.push_back(store::newRunId());
  return entriesFrom(impl_->submit(submission, ids));
}

std::string Client::beginSearch(const Submission& submission) {
  const std::string suite = store::newRunId();
  impl_->submit(submission, Json::array({suite}));
  return suite;
}

void Client::holdSearch(const std::string& suite, bool held) { impl_->request("hold_search", {{"suite", suite}, {"held", held}}); }
void Client::endSearch(const std::string& suite) { impl_->request("end_search", {{"suite", suite}}); }

std::vector<Entry> Client::queue() { return entriesFrom(impl_->request("queue")); }
void Client::stop(const std::string& run) { impl_->request("stop", {{"run", run}}); }
void Client::moveBefore(const std::vector<std::int64_t>& entries, std::int64_t other) { impl_->request("move", {{"entries", entries}, {"before", other}}); }
void Client::hold(const std::vector<std::string>& runs) { impl_->request("hold", {{"runs", runs}}); }
void Client::go(const std::vector<std::string>& runs) { impl_->request("go", {{"runs", runs}}); }
void Client::forgetCells(const std::string& suite) { impl_->request("forget", {{"suite", suite}}); }

void Client::answer(std::int64_t question, const std::optional<std::string>& text) {
  impl_->request("answer", {{"question", question}, {"text", text ? Json(*text) : Json()}}, false);
}

void Client::setText(const std::string& run, const std::string& name, const std::string& notes, const std::vector<std::string>& tags) {
  impl_->request("text", {{"run", run}, {"name", name}, {"notes", notes}, {"tags", tags}});
}

void Client::trash(const std::vector<std::string>& runs) { impl_->request("trash", {{"runs", runs}}); }
void Client::restore(const std::vector<std::string>& runs) { impl_->request("restore", {{"runs", runs}}); }
std::vector<std::string> Client::purge(const std::vector<std::string>& runs) { return impl_->textsIn(impl_->request("purge", {{"runs", runs}}, false)); }

void Client::compact() { impl_->request("compact"); }

std::vector<std::string> Client::importPaths(const std::vector<std::string>& paths, const std::string& profile) {
  Json whole = Json::array();
  for (const std::string& path : paths) whole.push_back(absolute(path));
  return impl_->textsIn(impl_->request("import", {{"paths", whole}, {"profile", profile}}, false));
}

std::optional<Notice> Client::next(double timeoutSeconds) {
  const double until = steadySeconds() + timeoutSeconds;
  for (;;) {
    if (auto notice = impl_->taken()) return notice;
    const double left = until - steadySeconds();
    try {
      if (impl_->channel) {
        impl_->read();
        if (impl_->notices.empty() && left > 0) impl_->wait(left), impl_->read();
      } else if (left > 0) {
        ::poll(nullptr, 0, static_cast<int>(left * 1000));
      }
    } catch (const Gone&) {
      impl_->lose();
    }
    if (impl_->notices.empty() && left <= 0) return std::nullopt;
  }
}

int Client::descriptor() const { return impl_->readable.get(); }

}  // namespace paceline::recorder
