#include "app/models/gui_prompts.h"

#include "engine/core/base/error.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/clock.h"

namespace paceline {
namespace {

constexpr double kRefusedSeconds = 30;  // the same question again within this: the remembered answer was wrong

std::string keyText(const hosts::HostKeyPrompt& key) { return strCat(key.host, '\n', key.address, '\n', key.type, '\n', key.fingerprint); }

}  // namespace

class TaskPrompts : public hosts::CredentialPrompts {
 public:
  TaskPrompts(GuiPrompts& window, std::stop_token stop, GuiPrompts::Given* given)
      : window_(window), stop_(std::move(stop)), given_(given ? *given : own_) {}

  std::optional<std::string> secret(const std::string& host, const std::string& prompt, bool echo) override {
    const std::pair<std::string, std::string> place(host, prompt);
    const auto given = given_.find(place);
    const bool refused = given != given_.end() && window_.now_() - given->second < kRefusedSeconds;
    const auto known = [this, &place, refused]() -> std::optional<GuiPrompts::Answer> {
      const auto found = window_.secrets_.find(place);
      if (refused || found == window_.secrets_.end()) return std::nullopt;
      return GuiPrompts::Answer{.secret = found->second};
    };
    const auto answer = window_.ask({.host = host, .prompt = prompt, .echo = echo}, stop_, known);
    given_[place] = window_.now_();
    if (!answer || !answer->secret) return std::nullopt;
    const std::lock_guard lock(window_.mutex_);
    std::string& kept = window_.secrets_[place];
    wipe(kept);
    kept = *answer->secret;
    return answer->secret;
  }

  bool acceptKey(const hosts::HostKeyPrompt& question) override {
    const std::string text = keyText(question);
    const auto known = [this, &text]() -> std::optional<GuiPrompts::Answer> {
      if (!window_.keys_.contains(text)) return std::nullopt;
      return GuiPrompts::Answer{.accepted = true};
    };
    const auto answer = window_.ask({.aboutKey = true, .key = question, .host = question.host}, stop_, known);
    if (!answer || !answer->accepted) return false;
    const std::lock_guard lock(window_.mutex_);
    window_.keys_.insert(text);
    return true;
  }

  bool mayWait(const std::string& host, const std::string& why) override {
    const auto tell = [window = &window_, host = QString::fromStdString(host), why = QString::fromStdString(why)] { emit window->waits(host, why); };
    QMetaObject::invokeMethod(&window_, tell, Qt::QueuedConnection);
    const std::lock_guard lock(window_.mutex_);
    return !window_.closed_ && !stop_.stop_requested();
  }

 private:
  GuiPrompts& window_;
  std::stop_token stop_;
  GuiPrompts::Given own_;
  GuiPrompts::Given& given_;
};

GuiPrompts::GuiPrompts(Clock now, QObject* parent) : QObject(parent), now_(now ? std::move(now) : Clock(steadySeconds)) {}

GuiPrompts::~GuiPrompts() {
  close();
  const std::lock_guard lock(mutex_);
  for (auto& [place, secret] : secrets_) wipe(secret);
}

std::unique_ptr<hosts::CredentialPrompts> GuiPrompts::forOneTask(std::stop_token stop, Given* given) {
  return std::make_unique<TaskPrompts>(*this, std::move(stop), given);
}

std::optional<GuiPrompts::Answer> GuiPrompts::ask(AskedPrompt question, const std::stop_token& stop, const Known& known) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return closed_ || open_ == 0; });
  if (closed_ || stop.stop_requested()) return std::nullopt;
  if (auto answer = known()) return answer;
  const int id = question.id = open_ = next_++;
  answer_.reset();
  QMetaObject::invokeMethod(this, [this, question = std::move(question)] { emit asked(question); }, Qt::QueuedConnection);
  changed_.wait(lock, stop, [this] { return closed_ || answer_; });
  if (!answer_) QMetaObject::invokeMethod(this, [this, id] { emit withdrawn(id); }, Qt::QueuedConnection);
  std::optional<Answer> answer = std::move(answer_);
  answer_.reset();
  open_ = 0;
  changed_.notify_all();
  return answer;
}

void GuiPrompts::settle(int id, Answer answer) {
  const std::lock_guard lock(mutex_);
  if (id != open_ || answer_) return;
  answer_ = std::move(answer);
  changed_.notify_all();
}

void GuiPrompts::answer(int id, std::optional<std::string> secret) { settle(id, {.secret = std::move(secret)}); }

void GuiPrompts::decide(int id, bool accepted) { settle(id, {.accepted = accepted}); }

void GuiPrompts::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace paceline
