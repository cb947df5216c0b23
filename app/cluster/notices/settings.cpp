#include "app/cluster/notices/settings.h"

#include <curl/curl.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"
#include "engine/core/json/describe.h"
#include "engine/core/json/fields.h"

namespace paceline::notices {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1 << 16;

hosts::ProcessEnd askShell(const std::vector<std::string>& words) {
  std::vector<std::string> command = {"/bin/sh"};
  command.insert(command.end(), words.begin(), words.end());
  hosts::LocalProcess shell(command);
  shell.closeInput();
  return shell.wait();
}

}  // namespace

void describe(auto& visit, Settings& settings) {
  FormVersion<1> version;
  visit(Field{.key = "paceline_notices"}, version);
  visit(Field{.key = "target"}, settings.target);
  visit(Field{.key = "failed"}, settings.failed);
  visit(Field{.key = "suite"}, settings.suite);
  visit(Field{.key = "webhook"}, settings.webhook);
  visit(Field{.key = "command"}, settings.command);
}

bool Settings::wants(const std::string& event) const {
  return event == "try" || (event == "target" && target) || (event == "failed" && failed) || (event == "suite" && suite);
}

std::string settingsPath() { return userConfigFolder() + "/paceline/notices.json"; }

Settings load() {
  const std::string path = settingsPath();
  std::error_code ignored;
  Settings settings;
  if (!fs::exists(path, ignored)) return settings;
  const std::optional<std::string> text = fileText(path, kMaxBytes);
  if (!text) throw Error(Errc::kFile, strCat("cannot read ", path, ": ", std::strerror(errno)));
  std::vector<Finding> findings;
  if (const auto document = parseJson(*text, findings, kMaxBytes)) {
    Fields fields(*document, "", findings);
    readObject(fields, settings);
  }
  if (!findings.empty()) throw Error(Errc::kFormat, strCat(path, ": ", findings.front().pointer, findings.front().pointer.empty() ? "" : ": ", findings.front().message));
  return settings;
}

void save(const Settings& settings) {
  for (const std::string& problem : {webhookProblem(settings.webhook), commandProblem(settings.command), endsProblem(settings)})
    if (!problem.empty()) throw Error(Errc::kUsage, problem);
  const fs::path path = settingsPath();
  std::error_code error;
  const bool made = fs::create_directories(path.parent_path(), error);
  if (error) throw Error(Errc::kFile, strCat("cannot make folder ", path.parent_path().string(), ": ", error.message()));
  if (made) fs::permissions(path.parent_path(), fs::perms::owner_all, error);
  replaceFile(path.string(), dumped(written(settings), 2) + "\n", 0600);  // an address may be a secret
}

std::string webhookProblem(const std::string& address) {
  if (address.empty()) return "";
  const std::unique_ptr<CURLU, void (*)(CURLU*)> url(curl_url(), &curl_url_cleanup);
  const auto part = [&url](CURLUPart which) {
    char* text = nullptr;
    const bool there = curl_url_get(url.get(), which, &text, 0) == CURLUE_OK;
    const std::string found = there ? text : "";
    curl_free(text);
    return found;
  };
  const bool read = curl_url_set(url.get(), CURLUPART_URL, address.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  if (read && (part(CURLUPART_SCHEME) == "https" || part(CURLUPART_SCHEME) == "http") && !part(CURLUPART_HOST).empty()) return "";
  return strCat("a web address begins with https:// or http:// and names a host; \"", quotable(address), "\" does not");
}

std::string commandProblem(const std::string& command) try {
  if (command.empty()) return "";
  const hosts::ProcessEnd read = askShell({"-n", "-c", command});
  if (read.code != 0) return strCat("the shell cannot read the command: ", lastLine(read.errors));
  const std::string program = command.substr(0, command.find_first_of(" \t\n"));
  const bool plain = program.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./~+-") == std::string::npos;
  if (plain && askShell({"-c", "command -v -- " + program + " >/dev/null"}).code != 0) return strCat("there is no program \"", quotable(program), "\" here");
  return "";
} catch (const Error& error) {
  return error.what();
}

std::string endsProblem(const Settings& settings) {
  const bool hears = !settings.webhook.empty() || !settings.command.empty();
  return hears && !settings.target && !settings.failed && !settings.suite ? "no end is chosen of which the address or the command would hear: target, failed, suite" : "";
}

}  // namespace paceline::notices
