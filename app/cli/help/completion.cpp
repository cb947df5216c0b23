#include "app/cli/help/completion.h"

#include <algorithm>
#include <set>

#include "app/cli/document/templates.h"
#include "app/cluster/hosts/host_registry.h"
#include "app/figures/figure.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "storage/store/store.h"

namespace paceline::cli {
namespace {

// Walks the words that are whole, then says what the one that is typed may become.
class Walk {
 public:
  Walk(const CommandText& program, const Named& named) : program_(program), command_(&program), named_(named) {}

  void pass(const std::string& word) {
    if (awaited_) {
      if (awaited_->names.back() == "--store") store_ = word;
      awaited_ = nullptr;
    } else if (word == "--") {
      plain_ = true;
    } else if (!plain_ && word.size() > 1 && word.front() == '-') {
      const std::size_t equals = word.find('=');
      const OptionText* option = optionOf(word.substr(0, equals));
      if (option) given_.insert(option->names.back());
      if (option && !option->value.empty()) {
        if (equals == std::string::npos) awaited_ = option;
        else if (option->names.back() == "--store") store_ = word.substr(equals + 1);
      }
    } else if (const CommandText* inner = command_->command(word); inner && arguments_ == 0) {
      command_ = inner;
    } else {
      ++arguments_;
    }
  }

  Completion of(const std::string& typed) {
    if (awaited_) return values(*awaited_, typed, "");
    const std::size_t equals = typed.find('=');
    if (!plain_ && typed.starts_with("--") && equals != std::string::npos) {
      const OptionText* option = optionOf(typed.substr(0, equals));
      return option && !option->value.empty() ? values(*option, typed.substr(equals + 1), typed.substr(0, equals + 1)) : Completion();
    }
    if (!plain_ && typed.starts_with("-")) return options(typed);
    Completion all;
    if (arguments_ == 0)
      for (const CommandText& inner : command_->commands) offer(all, inner.name, inner.help, typed);
    if (command_->arguments.empty()) return all;
    const OptionText& argument = command_->arguments[std::min(arguments_, command_->arguments.size() - 1)];
    if (arguments_ >= command_->arguments.size() && !argument.many) return all;
    Completion more = values(argument, typed, "");
    all.candidates.insert(all.candidates.end(), more.candidates.begin(), more.candidates.end());
    all.paths = more.paths;
    return all;
  }

 private:
  const OptionText* optionOf(const std::string& name) const {
    const OptionText* own = command_->option(name);
    return own ? own : program_.option(name);
  }
  static void offer(Completion& completion, const std::string& word, const std::string& help, const std::string& typed, const std::string& before = "") {
    if (word.starts_with(typed)) completion.candidates.push_back({before + word, help});
  }
  Completion options(const std::string& typed) const {
    Completion all;
    for (const CommandText* command : {command_, &program_}) {
      for (const OptionText& option : command->options)
        if (!given_.contains(option.names.back()) || option.many) offer(all, option.names.back(), option.help, typed);
      if (command_ == &program_) break;
    }
    // Each command has --help.
    std::set<std::string> seen;
    std::erase_if(all.candidates, [&seen](const Candidate& candidate) { return !seen.insert(candidate.word).second; });
    return all;
  }
  Completion values(const OptionText& option, const std::string& typed, const std::string& before) const {
    Completion all;
    for (const std::string& choice : option.choices) offer(all, choice, "", typed, before);
    for (const Candidate& candidate : named_(option.value, store_)) offer(all, candidate.word, candidate.help, typed, before);
    if (option.value == "DIR" || option.value == "FOLDER") all.paths = "folders";
    else if (option.value == "FILE" || option.value == "SPEC.json" || option.value.find("PATH") != std::string::npos) all.paths = "files";
    return all;
  }

  const CommandText& program_;
  const CommandText* command_;
  const Named& named_;
  const OptionText* awaited_ = nullptr;
  std::set<std::string> given_;
  std::size_t arguments_ = 0;
  bool plain_ = false;
  std::string store_;
};

std::string oneWord(const std::string& text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f; }) ? "" : text;
}

}  // namespace

Completion complete(const CommandText& program, std::vector<std::string> words, const Named& named) {
  std::string typed;
  if (!words.empty()) typed = words.back(), words.pop_back();
  if (typed == "=" && !words.empty()) typed.clear();
  Walk walk(program, named);
  for (const std::string& word : words)
    if (word != "=") walk.pass(word);
  return walk.of(typed);
}

std::string completionText(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) text += candidate.word + (candidate.help.empty() ? "" : "\t" + candidate.help) + "\n";
  if (!completion.paths.empty()) text += ":" + completion.paths + "\n";
  return text;
}

std::vector<Candidate> namedHere(const std::string& value, const std::string& given) try {
  std::vector<Candidate> all;
  if (value == "HOST") {
    const hosts::HostRegistry registry = hosts::HostRegistry::load(hosts::HostRegistry::defaultPath());
    for (const hosts::HostEntry& entry : registry.entries()) all.push_back({entry.name, entry.kind});
  } else if (value == "FIGURE") {
    for (const FigureDef& figure : figures()) all.push_back({figure.id, figure.summary});
  } else if (value == "TEMPLATE") {
    for (const Template& each : templates()) all.push_back({each.id, each.name});
  } else if (value == "RUN" || value == "SUITE" || value == "RUN|SUITE") {
    const store::StoreReader store(given.empty() ? store::defaultStorePath() : given);
    std::set<std::string> seen;
    const auto offer = [&](const std::string& word, const std::string& help) {
      if (const std::string whole = oneWord(word); !whole.empty() && seen.insert(whole).second) all.push_back({whole, help});
    };
    if (value != "SUITE")
      for (const store::RunRow& run : store.runs()) offer(run.name, utcText(run.createdUtc)), offer(run.id, run.name);
    if (value != "RUN")
      for (const store::SuiteRow& suite : store.suites()) offer(suite.name, "suite"), offer(suite.id, suite.name);
  }
  return all;
} catch (const std::exception&) {
  return {};  // a shell asks on every keystroke: it is no place to complain
}

}  // namespace paceline::cli
