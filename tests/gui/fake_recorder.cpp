#include "tests/gui/fake_recorder.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <chrono>

namespace paceline::tests {

FakeRecorder::FakeRecorder(const std::string& storePath)
    : listener_(storePath), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

void FakeRecorder::ask(const recorder::Question& question) {
  post([this, question] {
    for (recorder::Channel& client : clients_) client.send(recorder::toLine(recorder::Notice(question)));
  });
}

void FakeRecorder::restart(const recorder::Question& question) {
  post([this, question] {
    clients_.clear();
    atHello_ = question;
  });
}

bool FakeRecorder::waitForHellos(int hellos) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::minutes(1), [this, hellos] { return hellos_ >= hellos; });
}

int FakeRecorder::hellos() { return std::lock_guard(mutex_), hellos_; }

std::vector<FakeRecorder::Answer> FakeRecorder::answers() { return std::lock_guard(mutex_), answers_; }

std::vector<recorder::Submission> FakeRecorder::submissions() { return std::lock_guard(mutex_), submissions_; }

void FakeRecorder::post(std::function<void()> act) {
  const std::lock_guard lock(mutex_);
  mail_.push_back(std::move(act));
  ::eventfd_write(wake_.get(), 1);
}

void FakeRecorder::serve(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { ::eventfd_write(wake_.get(), 1); });
  while (!stop.stop_requested()) {
    std::vector<pollfd> polled = {{wake_.get(), POLLIN, 0}, {listener_.fd(), POLLIN, 0}};
    for (const recorder::Channel& client : clients_) polled.push_back({client.fd(), POLLIN, 0});
    ::poll(polled.data(), polled.size(), -1);
    eventfd_t ignored = 0;
    ::eventfd_read(wake_.get(), &ignored);
    const std::lock_guard lock(mutex_);
    for (const auto& act : std::exchange(mail_, {})) act();
    while (auto socket = listener_.accept()) clients_.emplace_back(std::move(*socket));
    for (recorder::Channel& client : clients_) {
      client.receive();
      while (const auto line = client.line()) take(client, *line);
    }
    std::erase_if(clients_, [](const recorder::Channel& client) { return !client.open(); });
  }
}

void FakeRecorder::take(recorder::Channel& client, const std::string& line) {
  if (recorder::helloOf(line)) {
    client.send(toLine(recorder::ourHello(false)));
    if (atHello_) client.send(recorder::toLine(recorder::Notice(*atHello_)));
    ++hellos_;
    return changed_.notify_all();
  }
  const Json request = Json::parse(line);
  if (request.at("request") == "answer") {
    const Json& text = request.at("text");
    answers_.emplace_back(request.at("question"), text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt);
  }
  if (request.at("request") == "submit") submissions_.push_back(readFrom<recorder::Submission>(request.at("submission")));
  client.send(dumped(Json{{"id", request.at("id")}, {"ok", true}, {"result", Json::array()}}));
}

}  // namespace paceline::tests
