// What recorder and clients say to each other, and how: one JSON object a line. Each side begins with a hello; the reader throws Error{kFormat}.
#pragma once

#include <array>

#include "app/cluster/recorder/client.h"
#include "engine/core/base/fd.h"
#include "engine/core/json/fields.h"
#include "engine/core/json/describe.h"

namespace paceline::recorder {

// Lines over a connected stream socket, without ever blocking. Used by one thread. Lines are at most 64 MiB.
class Channel {
 public:
  explicit Channel(Fd socket);

  int fd() const { return socket_.get(); }
  bool open() const { return static_cast<bool>(socket_); }  // false: closed by either side; lines that came before can still be read
  void send(const std::string& line);  // takes it in any case; what the socket does not take waits here
  void flush();
  bool waiting() const { return sent_ < out_.size(); }      // something is still to be written
  std::size_t waitingBytes() const { return out_.size() - sent_; }
  bool flushWithin(double seconds);                         // blocks; false: the other side does not read
  void receive();                                           // what is there
  std::optional<std::string> line();                        // the next whole one
  void close() { socket_.close(); }

 private:
  Fd socket_;
  std::string in_, out_;
  std::size_t read_ = 0, scanned_ = 0, sent_ = 0;
};

inline constexpr int kProtocol = 4;

struct Hello {
  int protocol = kProtocol, schema = 0;  // schema: version of the store that this program makes
  std::string version{};
  std::int64_t pid = 0;
  bool answers = false;  // of a client: it can answer questions
};
Hello ourHello(bool answers);
bool isOlder(const Hello& one, const Hello& other);  // than the other
std::string toLine(const Hello& hello);
std::optional<Hello> helloOf(const std::string& line);  // nullopt: not one

// Who submits: where its nodes on this computer work, which variables they get, which list of hosts it means.
struct Context {
  std::string folder{}, hosts{};
  std::map<std::string, std::string> variables{};
  std::string prediction{};  // of this run
  int resumes = 0;           // run::GoesOn of this run
  std::string insteadOf{};
};
Context contextHere();

constexpr std::array<const char*, 4> wordsOf(EntryKind) { return {"run", "simulation", "attach", "resume"}; }
inline const char* kindName(EntryKind kind) { return wordsOf(kind).at(static_cast<std::size_t>(kind)); }
std::optional<EntryKind> kindFromName(std::string_view name);

std::string toLine(const Notice& notice);
std::optional<Notice> noticeOf(const Json& line);

const char* codeName(Errc code);  // of those that a client may throw
Errc codeFromName(std::string_view name);

void describe(auto& visit, Hello& hello) {
  visit(Field{.key = "protocol", .required = true}, hello.protocol);
  visit(Field{"schema"}, hello.schema);
  visit(Field{"version"}, hello.version);
  visit(Field{"pid"}, hello.pid);
  visit(Field{"answers"}, hello.answers);
}
void describe(auto& visit, Context& context) {
  visit(Field{"folder"}, context.folder);
  visit(Field{"hosts"}, context.hosts);
  visit(Field{"variables"}, context.variables);
  visit(Field{"prediction"}, context.prediction);
  visit(Field{"resumes"}, context.resumes);
  visit(Field{"instead_of"}, context.insteadOf);
}
void describe(auto& visit, Point& point) {
  visit(Field{"name"}, point.name);
  visit(Field{"spec"}, point.spec);
  visit(Field{"place"}, point.place);
  visit(Field{"prediction"}, point.prediction);
}
void describe(auto& visit, Submission& submission) {
  visit(Field{"kind"}, submission.kind);
  visit(Field{"points"}, submission.points);
  visit(Field{"suite"}, submission.suite);
  visit(Field{"search"}, submission.search);
  visit(Field{"into"}, submission.into);
  visit(Field{"resumed_from"}, submission.resumedFrom);
  visit(Field{"now"}, submission.now);
  visit(Field{"skip_finished"}, submission.skipFinished);
}
void describe(auto& visit, Progress& progress) {
  visit(Field{"fraction"}, progress.fraction);
  visit(Field{"round"}, progress.round);
  visit(Field{"seconds"}, progress.seconds);
  visit(Field{"accuracy"}, progress.accuracy);
  visit(Field{"left_low_s"}, progress.leftLowSeconds);
  visit(Field{"left_high_s"}, progress.leftHighSeconds);
  visit(Field{"diverged"}, progress.diverged);
}
void describe(auto& visit, Entry& entry) {
  std::string state = store::stateName(entry.state);
  visit(Field{"id"}, entry.id);
  visit(Field{"kind"}, entry.kind);
  visit(Field{"run"}, entry.run);
  visit(Field{"name"}, entry.name);
  visit(Field{"suite"}, entry.suite);
  visit(Field{"instead_of"}, entry.insteadOf);
  visit(Field{"state"}, state);
  visit(Field{"waiting"}, entry.waiting);
  visit(Field{"held"}, entry.held);
  visit(Field{"ended"}, entry.ended);
  visit(Field{"text"}, entry.text);
  visit(Field{"reason"}, entry.reason);
  visit(Field{"progress"}, entry.progress);
  if (state != store::stateName(entry.state)) entry.state = store::stateFromName(state).value_or(store::RunState::kStale);
}
void describe(auto& visit, NewerRows& rows) { visit(Field{"run"}, rows.run); }
void describe(auto& visit, StoreTrouble& trouble) { visit(Field{"text"}, trouble.text); }
void describe(auto& visit, Question& question) {
  visit(Field{"id"}, question.id);
  visit(Field{"host"}, question.host);
  visit(Field{"kind"}, question.kind);
  visit(Field{"text"}, question.text);
}
void describe(auto& visit, QuestionGone& gone) { visit(Field{"id"}, gone.id); }
void describe(auto& visit, Lost& lost) { visit(Field{"text"}, lost.text); }

}  // namespace paceline::recorder
