// What recorder and clients say to each other: one JSON object a line. Each side begins with a hello; the reader throws Error{kFormat}.
#pragma once

#include <optional>
#include <string>

#include "app/cluster/recorder/client.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline::recorder {

inline constexpr int kProtocol = 1;

struct Hello {
  int protocol = kProtocol, schema = 0;  // schema: version of the store that this program makes
  std::string version;
  std::int64_t pid = 0;
  bool answers = false;  // of a client: it can answer questions
};
Hello ourHello(bool answers);
bool isOlder(const Hello& one, const Hello& other);  // than the other
std::string toLine(const Hello& hello);
std::optional<Hello> helloOf(const std::string& line);  // nullopt: not one

// Who submits: where its nodes on this computer work, which variables they get, which list of hosts it means.
struct Context {
  std::string folder, hosts;
  std::map<std::string, std::string> variables;
};
Context contextHere();

const char* kindName(EntryKind kind);  // "run", "simulation", "attach", "resume"
std::optional<EntryKind> kindFromName(std::string_view name);

Json toJson(const Context& context);
Json toJson(const Submission& submission);
Json toJson(const Entry& entry);
Context contextFrom(const Json& json);
Submission submissionFrom(const Json& json);
Entry entryFrom(const Json& json);

std::string toLine(const Notice& notice);  // of all but Lost
std::optional<Notice> noticeOf(const Json& line);

const char* codeName(Errc code);  // of those that a client may throw
Errc codeFromName(std::string_view name);

}  // namespace paceline::recorder
