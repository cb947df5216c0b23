#include "engine/core/record/event.h"

#include <chrono>

#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"

namespace paceline {
namespace {

// The members of a record are named once: the same list writes and reads them.
template <class Record, class Visit>
void eachField(Record& r, Visit&& visit)
  requires std::same_as<std::remove_const_t<Record>, RoundRecord>
{
  visit("round", r.round), visit("t_s", r.t);
  visit("fetch_s", r.fetch), visit("compute_s", r.compute), visit("update_s", r.update), visit("send_s", r.send);
  visit("wait_s", r.wait), visit("receive_s", r.receive), visit("query_s", r.query), visit("evaluate_s", r.evaluate);
  visit("total_s", r.total);
  visit("local_steps", r.localSteps), visit("samples", r.samples);
  visit("bytes_sent", r.bytesSent), visit("bytes_received", r.bytesReceived);
  visit("messages_sent", r.messagesSent), visit("messages_received", r.messagesReceived);
  visit("staleness", r.staleness), visit("loss", r.loss), visit("learning_rate", r.learningRate), visit("kept", r.kept);
}

template <class Record, class Visit>
void eachField(Record& r, Visit&& visit)
  requires std::same_as<std::remove_const_t<Record>, EvaluationRecord>
{
  visit("round", r.round), visit("t_s", r.t), visit("accuracy", r.accuracy), visit("loss", r.loss);
  visit("samples", r.samples), visit("evaluate_s", r.seconds);
  visit("of", r.of), visit("consensus", r.consensus);
}

template <class Record, class Visit>
void eachField(Record& r, Visit&& visit)
  requires std::same_as<std::remove_const_t<Record>, EdgeRecord>
{
  visit("round", r.round), visit("t_s", r.t), visit("peer", r.peer), visit("exchanges", r.exchanges), visit("age", r.age);
  visit("bytes_sent", r.bytesSent), visit("bytes_received", r.bytesReceived), visit("lost", r.lost);
}

template <class Record, class Visit>
void eachField(Record& r, Visit&& visit)
  requires std::same_as<std::remove_const_t<Record>, HostLoad>
{
  visit("unix_s", r.t), visit("cpu", r.cpu);
  visit("memory_used_bytes", r.memoryUsedBytes), visit("memory_total_bytes", r.memoryTotalBytes);
  visit("network_sent_bytes", r.networkSentBytes), visit("network_received_bytes", r.networkReceivedBytes);
}

template <class Record, class Visit>
void eachField(Record& r, Visit&& visit)
  requires std::same_as<std::remove_const_t<Record>, LabelsRecord>
{
  visit("counts", r.counts);
}

const char* kindOf(const RoundRecord&) { return "round"; }
const char* kindOf(const EvaluationRecord&) { return "evaluation"; }
const char* kindOf(const HostLoad&) { return "host"; }
const char* kindOf(const EdgeRecord&) { return "edge"; }
const char* kindOf(const LabelsRecord&) { return "labels"; }

struct Writer {
  Json& object;
  void operator()(const char* key, double value) { object[key] = jsonNumber(value); }
  void operator()(const char* key, std::int64_t value) { object[key] = value; }
  void operator()(const char* key, const std::optional<double>& value) {
    if (value) object[key] = jsonNumber(*value);
  }
  void operator()(const char* key, const std::string& value) {
    if (!value.empty()) object[key] = value;
  }
  void operator()(const char* key, const std::vector<std::int64_t>& value) { object[key] = value; }
};

struct Reader {
  const Json& object;

  const Json& at(const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) throw Error(Errc::kFormat, strCat(key, " is missing"));
    return *found;
  }
  void operator()(const char* key, double& value) const {
    const auto number = numberFromJson(at(key));
    if (!number) throw Error(Errc::kFormat, strCat(key, " must be a number, got ", described(at(key))));
    value = *number;
  }
  void operator()(const char* key, std::int64_t& value) const { value = whole(key, at(key)); }
  void operator()(const char* key, std::vector<std::int64_t>& value) const {
    const Json& given = at(key);
    if (!given.is_array()) throw Error(Errc::kFormat, strCat(key, " must be a list, got ", described(given)));
    for (const Json& item : given) value.push_back(whole(key, item));
  }
  void operator()(const char* key, std::optional<double>& value) const {
    if (object.contains(key)) (*this)(key, value.emplace());
  }
  void operator()(const char* key, std::string& value) const {  // absent: empty
    value.clear();
    if (!object.contains(key)) return;
    const Json& given = at(key);
    if (!given.is_string()) throw Error(Errc::kFormat, strCat(key, " must be a text, got ", described(given)));
    value = given.get<std::string>();
  }

 private:
  static std::int64_t whole(const char* key, const Json& given) {
    const bool fits = given.is_number_integer() && (!given.is_number_unsigned() || given.get<std::uint64_t>() <= INT64_MAX);
    if (!fits) throw Error(Errc::kFormat, strCat(key, " must be a whole number, got ", described(given)));
    return given.get<std::int64_t>();
  }
};

template <class Record>
Json written(const Record& record) {
  Json object = {{"kind", kindOf(record)}};
  eachField(record, Writer{object});
  return object;
}

Json written(const NoticeRecord& notice) {
  const bool reserved = notice.kind.empty() || notice.kind == "round" || notice.kind == "evaluation" || notice.kind == "host" ||
                        notice.kind == "edge" || notice.kind == "labels";
  PACELINE_CHECK(!reserved, strCat("a notice cannot have the kind \"", notice.kind, "\""));
  return {{"kind", notice.kind},     {"text", notice.text}, {"level", notice.level},
          {"reason", notice.reason}, {"code", notice.code}, {"unix_s", jsonNumber(notice.unixTime)}};
}

template <class Record>
Record read(const Json& object) {
  Record record;
  eachField(record, Reader{object});
  return record;
}

NoticeRecord readNotice(const Json& object, std::string kind) {
  NoticeRecord notice;
  notice.kind = std::move(kind);
  const Reader reader{object};
  const auto maybe = [&](const char* key, auto& value) {
    if (object.contains(key)) reader(key, value);
  };
  maybe("text", notice.text), maybe("level", notice.level), maybe("reason", notice.reason);
  maybe("code", notice.code), maybe("unix_s", notice.unixTime);
  return notice;
}

Event readEvent(const Json& object) {
  if (!object.is_object()) throw Error(Errc::kFormat, strCat("must be an object, got ", described(object)));
  std::string kind;
  if (!object.contains("kind")) throw Error(Errc::kFormat, "kind is missing");
  Reader{object}("kind", kind);
  if (kind.empty()) throw Error(Errc::kFormat, "kind is empty");
  if (kind == "round") return read<RoundRecord>(object);
  if (kind == "evaluation") return read<EvaluationRecord>(object);
  if (kind == "host") return read<HostLoad>(object);
  if (kind == "edge") return read<EdgeRecord>(object);
  if (kind == "labels") return read<LabelsRecord>(object);
  return readNotice(object, std::move(kind));
}

}  // namespace

std::string toLine(const Event& event) {
  return std::visit([](const auto& record) { return dumped(written(record)); }, event);
}

Event parseEvent(std::string_view line) {
  std::string reason;
  std::vector<Finding> findings;
  if (const std::optional<Json> object = parseJson(line, findings)) {
    try {
      return readEvent(*object);
    } catch (const Error& error) {
      reason = error.what();
    }
  } else {
    reason = strCat(findings[0].pointer, findings[0].pointer.empty() ? "" : " ", findings[0].message);
  }
  throw Error(Errc::kFormat, strCat("event line \"", quotable(line, 80), "\": ", reason));
}

double unixNow() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace paceline
