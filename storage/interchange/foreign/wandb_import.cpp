// Weights & Biases' local files (run-ID.wandb): blocks of 32 KiB with the frames of LevelDB's log, whose checksums are CRC-32 of type and bytes, each record a protobuf
// `Record`. History, settings, name, group, tags and the end are read; what else it has (files, console, system load) is passed over.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include <protozero/pbf_reader.hpp>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "storage/interchange/foreign/foreign_run.h"

namespace fs = std::filesystem;

namespace paceline::interchange {
namespace {

constexpr std::size_t kBlock = 32768, kFrameHead = 7;
constexpr std::string_view kBegin(":W&B\xE1\xBE\0", 7);  // name, magic 0xBEE1, version 0
constexpr std::size_t kMostRecord = std::size_t{256} << 20;

enum Frame : unsigned char { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

class LogReader {
 public:
  explicit LogReader(const std::string& path) : file_(path, std::ios::binary) {
    std::string head(kBegin.size(), '\0');
    file_.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (head.substr(0, 6) != kBegin.substr(0, 6)) throw Error(Errc::kFormat, strCat(path, ": does not begin as a file of Weights & Biases"));
    if (head[6] != kBegin[6]) throw Error(Errc::kFormat, strCat(path, ": is of version ", static_cast<int>(head[6]), " of Weights & Biases' format; version 0 is read"));
  }
  // The next record whose checksums hold.
  std::optional<std::string> next() {
    std::string record;
    bool inside = false;
    while (true) {
      const std::size_t left = kBlock - place_ % kBlock;
      std::string bytes;
      if (left < kFrameHead) {  // padding
        if (!read(left, bytes)) return std::nullopt;
        continue;
      }
      if (!read(kFrameHead, bytes)) return finish(inside || !bytes.empty());
      const auto byte = [&bytes](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
      const std::uint32_t sum = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
      const std::size_t length = byte(4) | byte(5) << 8;
      const std::string type = bytes.substr(6, 1);
      const auto frame = static_cast<unsigned char>(type[0]);
      if (frame == 0 && length == 0) {  // a block that was not filled
        if (!read(left - kFrameHead, bytes)) return finish(false);
        continue;
      }
      if (frame > kLast || length > left - kFrameHead) return damaged();
      if (!read(length, bytes)) return finish(true);
      if (crc32(bytes, crc32(type)) != sum) return damaged();
      if ((frame == kFull || frame == kFirst) == inside) return damaged();
      record += bytes;
      if (frame == kFull || frame == kLast) return record;
      if (record.size() > kMostRecord) return damaged();
      inside = true;
    }
  }
  const std::string& broken() const { return broken_; }

 private:
  bool read(std::size_t size, std::string& into) {
    into.resize(size);
    file_.read(into.data(), static_cast<std::streamsize>(size));
    into.resize(static_cast<std::size_t>(file_.gcount()));
    place_ += into.size();
    return into.size() == size;
  }
  std::optional<std::string> finish(bool within) {
    if (within) broken_ = "It ends within a record, as that of a run under way does.";
    return std::nullopt;
  }
  std::optional<std::string> damaged() {
    broken_ = strCat("It is damaged before byte ", place_, "; what follows is left out.");
    return std::nullopt;
  }
  std::ifstream file_;
  std::size_t place_ = kBegin.size();  // in the file: blocks are counted from its beginning
  std::string broken_;
};

// Item of a history, a config or a summary: {key = 1 | nested_key = 2, value_json = 16}.
struct Item {
  std::string key, json;
};
Item itemOf(protozero::pbf_reader message) {
  Item item;
  std::string nested;
  while (message.next()) switch (message.tag()) {
      case 1: item.key = message.get_string(); break;
      case 2: nested += (nested.empty() ? "" : ".") + message.get_string(); break;
      case 16: item.json = message.get_string(); break;
      default: message.skip();
    }
  if (!nested.empty()) item.key = nested;
  return item;
}

// NaN and Infinity stand in it as such, which is no JSON.
OrderedJson valueOf(const std::string& text) {
  if (const std::optional<double> number = numberFrom(text); number && !std::isfinite(*number)) return *number;
  std::vector<Finding> ignored;
  return parseOrderedJson(text, ignored).value_or(OrderedJson(text));
}

void flatten(const std::string& name, const OrderedJson& value, const std::function<void(const std::string&, const OrderedJson&)>& take) {
  if (!value.is_object()) return take(name, value);
  for (const auto& [key, member] : value.items()) flatten(strCat(name, ".", key), member, take);
}

class RunReader {
 public:
  explicit RunReader(ForeignRun& run) : run_(run) {}

  void take(const std::string& record) {
    protozero::pbf_reader message(record);
    while (message.next()) switch (message.tag()) {
        case 2: history(message.get_message()); break;
        case 5: config(message.get_message()); break;
        case 17: about(message.get_message()); break;
        case 18: exit(message.get_message()); break;
        default: message.skip();
      }
  }
  void finish() {
    if (ended_) run_.endedUtc = last_;
  }

 private:
  void history(protozero::pbf_reader message) {
    std::int64_t step = next_;
    double time = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::pair<std::string, double>> numbers;
    while (message.next()) {
      if (message.tag() == 1) {
        const Item item = itemOf(message.get_message());
        const OrderedJson value = valueOf(item.json);
        if (item.key == "_step") step = value.is_number() ? value.get<std::int64_t>() : step;
        else if (item.key == "_timestamp") time = value.is_number() ? value.get<double>() : time;
        else if (item.key != "_runtime")
          flatten(item.key, value, [&numbers](const std::string& name, const OrderedJson& each) {
            if (each.is_number()) numbers.emplace_back(name, each.get<double>());
          });
      } else if (message.tag() == 2) {
        protozero::pbf_reader told = message.get_message();
        while (told.next(1)) step = told.get_int64();
      } else {
        message.skip();
      }
    }
    next_ = step + 1;
    if (std::isfinite(time)) last_ = std::max(last_, time);
    for (const auto& [name, value] : numbers) series(name).points.push_back({.step = step, .unixTime = time, .value = value});
  }
  ForeignSeries& series(const std::string& name) {
    const auto [place, fresh] = places_.try_emplace(name, run_.series.size());
    if (fresh) run_.series.push_back({.name = name});
    return run_.series[place->second];
  }

  void config(protozero::pbf_reader message) {
    while (message.next(1)) {
      const Item item = itemOf(message.get_message());
      if (item.key.starts_with("_wandb")) continue;
      flatten(item.key, valueOf(item.json), [this](const std::string& name, const OrderedJson& value) { run_.settings[name] = value; });
    }
  }

  void about(protozero::pbf_reader message) {
    while (message.next()) switch (message.tag()) {
        case 1: id_ = message.get_string(); break;
        case 4: config(message.get_message()); break;
        case 6: run_.group = message.get_string(); break;
        case 8: run_.name = message.get_string(); break;
        case 9: run_.notes = message.get_string(); break;
        case 10: run_.tags.push_back(message.get_string()); break;
        case 17: {
          protozero::pbf_reader time = message.get_message();
          while (time.next()) {
            if (time.tag() == 1) run_.beganUtc = static_cast<double>(time.get_int64());
            else time.skip();
          }
          break;
        }
        default: message.skip();
      }
    if (run_.name.empty()) run_.name = id_;
  }

  void exit(protozero::pbf_reader message) {
    ended_ = true;
    while (message.next()) {
      if (message.tag() != 1) {
        message.skip();
        continue;
      }
      if (const std::int32_t code = message.get_int32(); code != 0) run_.error = strCat("it ended with exit code ", code);
    }
  }

  ForeignRun& run_;
  std::map<std::string, std::size_t> places_;
  std::string id_;
  std::int64_t next_ = 0;
  double last_ = 0;
  bool ended_ = false;
};

bool isLog(const std::string& path) { return beginningOf(path, 6) == kBegin.substr(0, 6); }

bool knowsWandb(const std::string& path, Told /*told*/) {
  std::error_code error;
  return fs::is_directory(path, error) ? !filesBelow(path, isLog).empty() : isLog(path);
}

ForeignRun readLog(const std::string& path) {
  ForeignRun run{.tool = kWandb.tool, .origin = path, .name = ""};
  LogReader log(path);
  RunReader reader(run);
  try {
    while (const std::optional<std::string> record = log.next()) reader.take(*record);
  } catch (const protozero::exception& error) {
    run.remarks.push_back(strCat("A record of it is none of Weights & Biases (", error.what(), "); what follows is left out."));
  }
  reader.finish();
  if (run.name.empty()) run.name = fs::path(path).stem().string();
  if (!log.broken().empty()) run.remarks.push_back(log.broken());
  return run;
}

std::vector<ForeignRun> readWandb(const std::string& path, const ImportProfile& /*profile*/) {
  const fs::path root = fs::canonical(path);
  std::vector<ForeignRun> runs;
  if (!fs::is_directory(root)) runs.push_back(readLog(root.string()));
  else for (const std::string& file : filesBelow(root.string(), isLog)) runs.push_back(readLog(file));
  return runs;
}

}  // namespace

constinit const ForeignFormat kWandb = {.tool = "Weights & Biases", .what = "Weights & Biases' local runs", .knows = knowsWandb, .read = readWandb};

}  // namespace paceline::interchange
