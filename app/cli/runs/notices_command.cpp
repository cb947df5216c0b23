// paceline notices: who hears when a run reaches its target, fails, or is a suite's last: a web address, a command.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cluster/notices/notice.h"
#include "app/cluster/recorder/hook.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

struct NoticeArguments {
  std::string webhook, command;
  std::vector<std::string> ends;
  bool never = false, tryNow = false;
};

const std::string kNone = "none";  // takes the address or the command away

std::string endsOf(const notices::Settings& settings) {
  std::vector<std::string> ends;
  for (const char* end : {"target", "failed", "suite"})
    if (settings.wants(end)) ends.emplace_back(end);
  return listed(ends);
}

void tellSettings(const notices::Settings& settings) {
  const bool nobody = settings.webhook.empty() && settings.command.empty();
  if (nobody) std::cout << "no web address and no command hears of ends; `paceline notices --webhook ADDRESS` begins with it\n";
  if (!settings.webhook.empty()) std::cout << "web address: " << settings.webhook << '\n';
  if (!settings.command.empty()) std::cout << "command: " << settings.command << '\n';
  if (!nobody) std::cout << "of: " << endsOf(settings) << '\n';
  if (const std::string program = recorder::hookProgram(); !program.empty()) std::cout << "program: " << program << ", of every end\n";
}

void tryNow(const notices::Settings& settings, const std::string& store) {
  if (settings.webhook.empty() && settings.command.empty()) throw Error(Errc::kUsage, "no web address and no command is set: --webhook or --command names one");
  const std::vector<std::string> problems = notices::tell(settings, notices::trial(store), {});
  if (!problems.empty()) throw Error(Errc::kHost, listed(problems));
  std::cout << "told; this was a trial\n";
}

void setNotices(const NoticeArguments& arguments, const std::string& store) {
  notices::Settings settings = notices::load();
  const notices::Settings before = settings;
  const auto take = [](const std::string& given, std::string& into) {
    if (!given.empty()) into = given == kNone ? "" : given;
  };
  take(arguments.webhook, settings.webhook);
  take(arguments.command, settings.command);
  const auto chosen = [&arguments](const char* end) { return std::ranges::count(arguments.ends, end) > 0; };
  if (!arguments.ends.empty()) settings.target = chosen("target"), settings.failed = chosen("failed"), settings.suite = chosen("suite");
  if (arguments.never) settings = notices::Settings();
  if (settings != before) notices::save(settings);
  arguments.tryNow ? tryNow(settings, store) : tellSettings(settings);
}

}  // namespace

void addNoticesCommand(CLI::App& app, Shared& shared) {
  auto arguments = std::make_shared<NoticeArguments>();
  CLI::App* command = app.add_subcommand("notices", "Tells a web address or a command when a run reaches its target accuracy, fails, or was the last of its suite. Without options says who hears of what.");
  CLI::Option* webhook = command->add_option("--webhook", arguments->webhook, "an address that gets each notice as JSON (POST), its sentence as \"text\"; none: no address")->type_name("ADDRESS");
  CLI::Option* program = command->add_option("--command", arguments->command, "a command of the shell, with the event, the run and its name as $1, $2, $3; none: no command")->type_name("COMMAND");
  CLI::Option* ends = command->add_option("--on", arguments->ends, "the ends that are told")->delimiter(',')->check(CLI::IsMember({"target", "failed", "suite"}))->type_name("END,...");
  command->add_flag("--try", arguments->tryNow, "tell a trial now, and say what was wrong");
  command->add_flag("--never", arguments->never, "nobody hears any more")->excludes(webhook)->excludes(program)->excludes(ends);
  command->callback([arguments, &shared] { setNotices(*arguments, shared.store); });
}

}  // namespace paceline::cli
