#include "app/cluster/recorder/prompts.h"

#include <algorithm>

#include "engine/core/base/secret.h"
#include "engine/core/base/clock.h"

namespace paceline::recorder {
namespace {

constexpr double kAskAgainSeconds = 20;  // the same question within this time: the last answer was refused

}  // namespace

class EntryPrompts final : public hosts::CredentialPrompts {
 public:
  EntryPrompts(Prompts& prompts, std::stop_token stop, std::function<void(const std::string&)> doing, Prompts::Asked asked)
      : prompts_(prompts), stop_(std::move(stop)), doing_(std::move(doing)), asked_(std::move(asked)) {}

  std::optional<std::string> secret(const std::string& host, const std::string& prompt, bool echo) override {
    return prompts_.ask({.id = 0, .host = host, .kind = echo ? "text" : "secret", .text = prompt}, true, stop_, asked_);
  }
  bool acceptKey(const hosts::HostKeyPrompt& key) override {
    const std::string text = strCat(quotable(key.address, 200), "\n", key.type, "\n", key.fingerprint);
    return prompts_.ask({.id = 0, .host = key.host, .kind = "host_key", .text = text}, false, stop_, asked_) == "yes";
  }
  bool mayWait(const std::string& host, const std::string& why) override {
    if (doing_) doing_(strCat(host, ": ", why));
    return !stop_.stop_requested();
  }

 private:
  Prompts& prompts_;
  std::stop_token stop_;
  std::function<void(const std::string&)> doing_;
  Prompts::Asked asked_;
};

std::optional<std::string> answerTo(const Question& question, hosts::CredentialPrompts& person) {
  if (question.kind != "host_key") return person.secret(question.host, question.text, question.kind == "text");
  hosts::HostKeyPrompt key{.host = question.host, .address = {}, .type = {}, .fingerprint = {}};
  std::istringstream lines(question.text);
  for (std::string* part : {&key.address, &key.type, &key.fingerprint}) std::getline(lines, *part);
  return person.acceptKey(key) ? std::optional<std::string>("yes") : std::nullopt;
}

Prompts::~Prompts() {
  for (auto& [place, answer] : remembered_) wipe(answer.text);
}

std::unique_ptr<hosts::CredentialPrompts> Prompts::forEntry(std::stop_token stop, std::function<void(const std::string&)> doing, Asked asked) {
  return std::make_unique<EntryPrompts>(*this, std::move(stop), std::move(doing), std::move(asked));
}

// Once for each thread that asks, which is one connection; asked again soon, it was wrong. With the mutex held.
std::optional<std::string> Prompts::remembered(const Place& place) {
  const auto found = remembered_.find(place);
  if (found == remembered_.end()) return std::nullopt;
  double& given = found->second.given.try_emplace(std::this_thread::get_id(), -kAskAgainSeconds).first->second;
  if (steadySeconds() - given > kAskAgainSeconds) {
    given = steadySeconds();
    return found->second.text;
  }
  wipe(found->second.text);
  remembered_.erase(found);
  return std::nullopt;
}

std::optional<std::string> Prompts::ask(Question question, bool remember, const std::stop_token& stop, const Asked& asked) {
  const Place place{question.host, question.text};
  const std::string sentence =
      strCat(question.host, question.kind == "host_key" ? ": its key must be accepted by a person" : strCat(": a person must answer \"", quotable(question.text, 80), "\""));
  std::unique_lock lock(mutex_);
  const auto isOpen = [&] {
    return std::ranges::any_of(open_, [&](const auto& entry) { return Place{entry.second.host, entry.second.text} == place; });
  };
  if (!changed_.wait(lock, stop, [&] { return !isOpen(); })) return std::nullopt;
  if (remember)
    if (auto known = remembered(place)) return known;
  if (!asked && answerers_ == 0) return std::nullopt;
  const std::int64_t id = question.id = next_++;
  open_[id] = question;
  lock.unlock();
  if (asked) asked(sentence, true);
  tell_(question);
  lock.lock();
  const bool answered = changed_.wait(lock, stop, [&] { return answered_.contains(id); });
  std::optional<std::string> text;
  if (answered) text = std::move(answered_.extract(id).mapped());
  open_.erase(id);
  if (text && remember) remembered_[place] = {.text = *text, .given = {{std::this_thread::get_id(), steadySeconds()}}};
  changed_.notify_all();
  lock.unlock();
  tell_(QuestionGone{id});
  if (asked) asked(sentence, false);
  return text;
}

void Prompts::answer(std::int64_t question, const std::optional<std::string>& text) {
  const std::lock_guard lock(mutex_);
  if (open_.contains(question)) answered_.try_emplace(question, text);
  changed_.notify_all();
}

std::vector<Question> Prompts::open() const {
  const std::lock_guard lock(mutex_);
  std::vector<Question> questions;
  for (const auto& [id, question] : open_) questions.push_back(question);
  return questions;
}

}  // namespace paceline::recorder
