#include "storage/interchange/foreign/event_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "engine/core/base/text.h"

namespace paceline::interchange {
namespace {

static_assert(std::endian::native == std::endian::little, "records and tensors are read as they lie in memory");

constexpr std::size_t kHeadBytes = 12, kTailBytes = 4;                // length and its checksum; checksum of what it is the length of
constexpr std::uint64_t kMostEvent = std::uint64_t{1} << 28;         // of a record that is looked into: longer ones are pictures
constexpr std::string_view kVersion = "brain.Event:2", kHparamsPlugin = "hparams", kScalarsPlugin = "scalars", kHistogramsPlugin = "histograms";

// CRC-32C (Castagnoli), RFC 3720 B.4.
std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78U : 0U);
      table[i] = value;
    }
    return table;
  }();
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

std::uint32_t masked(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8U; }

template <class Value>
Value valueAt(std::string_view bytes, std::size_t place) {
  Value value{};
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

template <class Value>
void appendValue(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Numbers of the fields.
namespace event { constexpr int kWallTime = 1, kStep = 2, kVersion = 3, kSummary = 5, kSessionLog = 7; }
namespace value { constexpr int kTag = 1, kSimple = 2, kHistogram = 5, kTensor = 8, kMetadata = 9; }
namespace metadata { constexpr int kPlugin = 1, kPluginName = 1, kPluginContent = 2, kDataClass = 4, kScalarClass = 1, kTensorClass = 2; }
namespace tensor { constexpr int kType = 1, kShape = 2, kContent = 4, kFloat = 5, kDouble = 6, kInt = 7, kInt64 = 10, kTypeFloat = 1, kTypeDouble = 2, kTypeInt32 = 3, kTypeInt64 = 9, kDim = 2, kSize = 1; }
namespace session { constexpr int kStatus = 1, kStart = 1; }
namespace hparams { constexpr int kExperiment = 2, kStart = 3, kEnd = 4, kMap = 1, kGroup = 4, kStartTime = 5, kStatus = 1, kEndTime = 2, kSuccess = 1, kFailure = 2; }

// A tensor of one number.
std::optional<double> numberOf(protozero::pbf_reader message) {
  std::uint64_t type = 0, elements = 1;
  std::string_view content;
  std::optional<double> typed;
  while (message.next()) {
    const auto packed = [&message] { return message.wire_type() == protozero::pbf_wire_type::length_delimited; };
    switch (message.tag()) {
      case tensor::kType: type = static_cast<std::uint64_t>(message.get_enum()); break;
      case tensor::kShape: {
        protozero::pbf_reader shape = message.get_message();
        while (shape.next(tensor::kDim)) {
          protozero::pbf_reader dim = shape.get_message();
          while (dim.next(tensor::kSize)) elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(0, dim.get_int64()));
        }
        break;
      }
      case tensor::kContent: {
        const auto view = message.get_view();
        content = {view.data(), view.size()};
        break;
      }
      case tensor::kFloat:
        if (!packed()) typed = message.get_float();
        else if (const auto all = message.get_packed_float(); !all.empty()) typed = *all.begin();
        break;
      case tensor::kDouble:
        if (!packed()) typed = message.get_double();
        else if (const auto all = message.get_packed_double(); !all.empty()) typed = *all.begin();
        break;
      case tensor::kInt:
        if (!packed()) typed = message.get_int32();
        else if (const auto all = message.get_packed_int32(); !all.empty()) typed = *all.begin();
        break;
      case tensor::kInt64:
        if (!packed()) typed = static_cast<double>(message.get_int64());
        else if (const auto all = message.get_packed_int64(); !all.empty()) typed = static_cast<double>(*all.begin());
        break;
      default: message.skip();
    }
  }
  if (elements != 1) return std::nullopt;
  if (type == tensor::kTypeFloat && content.size() == sizeof(float)) return valueAt<float>(content, 0);
  if (type == tensor::kTypeDouble && content.size() == sizeof(double)) return valueAt<double>(content, 0);
  if (type == tensor::kTypeInt32 && content.size() == sizeof(std::int32_t)) return valueAt<std::int32_t>(content, 0);
  if (type == tensor::kTypeInt64 && content.size() == sizeof(std::int64_t)) return static_cast<double>(valueAt<std::int64_t>(content, 0));
  return typed;
}

// google.protobuf.Value: null, number, text or truth.
OrderedJson settingOf(protozero::pbf_reader message) {
  OrderedJson setting;
  while (message.next()) switch (message.tag()) {
      case 2: setting = message.get_double(); break;
      case 3: setting = message.get_string(); break;
      case 4: setting = message.get_bool(); break;
      default: message.skip();
    }
  return setting;
}

void readHparams(protozero::pbf_reader content, std::optional<EventHparams>& into) {
  const auto there = [&into]() -> EventHparams& { return into ? *into : into.emplace(); };
  while (content.next()) {
    if (content.tag() == hparams::kStart) {
      protozero::pbf_reader start = content.get_message();
      while (start.next()) {
        if (start.tag() == hparams::kMap) {
          protozero::pbf_reader entry = start.get_message();
          std::string name;
          OrderedJson setting;
          while (entry.next()) {
            if (entry.tag() == 1) name = entry.get_string();
            else if (entry.tag() == 2) setting = settingOf(entry.get_message());
            else entry.skip();
          }
          there().settings[name] = setting;
        } else if (start.tag() == hparams::kGroup) {
          there().group = start.get_string();
        } else if (start.tag() == hparams::kStartTime) {
          there().startUtc = start.get_double();
        } else {
          start.skip();
        }
      }
    } else if (content.tag() == hparams::kEnd) {
      protozero::pbf_reader end = content.get_message();
      while (end.next()) {
        if (end.tag() == hparams::kStatus) there().failed = end.get_enum() == hparams::kFailure;
        else if (end.tag() == hparams::kEndTime) there().endUtc = end.get_double();
        else end.skip();
      }
    } else {
      content.skip();
    }
  }
}

void readValue(protozero::pbf_reader message, FileEvent& into) {
  std::string tag, plugin;
  std::optional<double> number;
  protozero::data_view content;
  while (message.next()) switch (message.tag()) {
      case value::kTag: tag = message.get_string(); break;
      case value::kSimple: number = message.get_float(); break;
      case value::kTensor: number = numberOf(message.get_message()); break;
      case value::kMetadata: {
        protozero::pbf_reader about = message.get_message();
        while (about.next(metadata::kPlugin)) {
          protozero::pbf_reader data = about.get_message();
          while (data.next()) {
            if (data.tag() == metadata::kPluginName) plugin = data.get_string();
            else if (data.tag() == metadata::kPluginContent) content = data.get_view();
            else data.skip();
          }
        }
        break;
      }
      default: message.skip();
    }
  if (plugin == kHparamsPlugin) readHparams(protozero::pbf_reader(content), into.hparams);
  else if (number) into.scalars.push_back({.tag = tag, .value = *number});
}

FileEvent eventFrom(const std::string& bytes) {
  FileEvent read;
  protozero::pbf_reader message(bytes);
  while (message.next()) switch (message.tag()) {
      case event::kWallTime: read.unixTime = message.get_double(); break;
      case event::kStep: read.step = message.get_int64(); break;
      case event::kSummary: {
        protozero::pbf_reader summary = message.get_message();
        while (summary.next()) {
          if (summary.tag() == 1) readValue(summary.get_message(), read);
          else summary.skip();
        }
        break;
      }
      case event::kSessionLog: {
        protozero::pbf_reader log = message.get_message();
        while (log.next(session::kStatus)) read.restarts = log.get_enum() == session::kStart;
        break;
      }
      default: message.skip();
    }
  return read;
}

// An Event with one value.
template <class Fill>
std::string eventOf(double unixTime, std::int64_t step, const std::string& tag, std::string_view plugin, int dataClass, const std::string& content, const Fill& fill) {
  std::string bytes;
  protozero::pbf_writer out(bytes);
  out.add_double(event::kWallTime, unixTime);
  out.add_int64(event::kStep, step);
  protozero::pbf_writer summary(out, event::kSummary), one(summary, 1);
  one.add_string(value::kTag, tag);
  fill(one);
  protozero::pbf_writer about(one, value::kMetadata);
  {
    protozero::pbf_writer data(about, metadata::kPlugin);
    data.add_string(metadata::kPluginName, plugin.data(), plugin.size());
    if (!content.empty()) data.add_bytes(metadata::kPluginContent, content);
  }
  if (dataClass != 0) about.add_enum(metadata::kDataClass, dataClass);
  about.commit(), one.commit(), summary.commit();
  return bytes;
}

void addSetting(protozero::pbf_writer& into, const OrderedJson& setting) {
  if (setting.is_number()) into.add_double(2, setting.get<double>());
  else if (setting.is_boolean()) into.add_bool(4, setting.get<bool>());
  else into.add_string(3, setting.is_string() ? setting.get<std::string>() : setting.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
}

}  // namespace

EventFileReader::EventFileReader(const std::string& path) : file_(path, std::ios::binary) {}

bool EventFileReader::begins(std::string_view bytes) {
  if (bytes.size() < kHeadBytes || valueAt<std::uint32_t>(bytes, 8) != masked(bytes.substr(0, 8))) return false;
  return bytes.substr(kHeadBytes, 64).find(kVersion.substr(0, kVersion.size() - 1)) != std::string_view::npos;
}

std::optional<std::string> EventFileReader::record() {
  while (broken_.empty()) {
    const auto place = static_cast<std::int64_t>(file_.tellg());
    std::string head(kHeadBytes, '\0');
    if (!file_.read(head.data(), kHeadBytes)) {
      if (file_.gcount() > 0) broken_ = "it ends within a record, as that of a run under way does";
      return std::nullopt;
    }
    if (valueAt<std::uint32_t>(head, 8) != masked(std::string_view(head).substr(0, 8))) {
      broken_ = strCat("it is damaged at byte ", place, "; what follows is left out");
      return std::nullopt;
    }
    const auto length = valueAt<std::uint64_t>(head, 0);
    if (length > kMostEvent) {
      if (length > std::uint64_t{1} << 62 || !file_.seekg(static_cast<std::streamoff>(length + kTailBytes), std::ios::cur)) broken_ = strCat("it is damaged at byte ", place, "; what follows is left out");
      continue;
    }
    std::string body;
    // Piece by piece: a file that claims much and has little takes little memory.
    for (std::uint64_t left = length + kTailBytes; left > 0;) {
      const std::size_t piece = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::uint64_t{1} << 20)), before = body.size();
      body.resize(before + piece);
      if (!file_.read(body.data() + before, static_cast<std::streamsize>(piece))) {
        broken_ = "it ends within a record, as that of a run under way does";
        return std::nullopt;
      }
      left -= piece;
    }
    const auto sum = valueAt<std::uint32_t>(body, length);
    body.resize(length);
    if (sum == masked(body)) return body;
    broken_ = strCat("it is damaged at byte ", place, "; what follows is left out");
  }
  return std::nullopt;
}

std::optional<FileEvent> EventFileReader::next() {
  const std::optional<std::string> bytes = record();
  if (!bytes) return std::nullopt;
  try {
    return eventFrom(*bytes);
  } catch (const protozero::exception& error) {
    broken_ = strCat("a record of it is no event (", error.what(), "); what follows is left out");
    return std::nullopt;
  }
}

EventFileWriter::EventFileWriter(double unixTime) {
  std::string bytes;
  protozero::pbf_writer out(bytes);
  out.add_double(event::kWallTime, unixTime);
  out.add_string(event::kVersion, kVersion.data(), kVersion.size());
  record(bytes);
}

void EventFileWriter::record(const std::string& event) {
  std::string length;
  appendValue<std::uint64_t>(length, event.size());
  bytes_ += length;
  appendValue(bytes_, masked(length));
  bytes_ += event;
  appendValue(bytes_, masked(event));
}

void EventFileWriter::scalar(double unixTime, std::int64_t step, const std::string& tag, double number) {
  record(eventOf(unixTime, step, tag, kScalarsPlugin, metadata::kScalarClass, "", [number](protozero::pbf_writer& into) { into.add_float(value::kSimple, static_cast<float>(number)); }));
}

// Buckets as TensorBoard draws them: each of our values is one bucket, half way to its neighbours.
void EventFileWriter::histogram(double unixTime, std::int64_t step, const std::string& tag, const std::map<double, double>& counts) {
  if (counts.empty()) return;
  double sum = 0, squares = 0, number = 0;
  std::vector<double> limits, sizes;
  for (auto each = counts.begin(); each != counts.end(); ++each) {
    const auto next = std::next(each);
    limits.push_back(next == counts.end() ? each->first + 0.5 : (each->first + next->first) / 2);
    sizes.push_back(each->second);
    number += each->second, sum += each->first * each->second, squares += each->first * each->first * each->second;
  }
  record(eventOf(unixTime, step, tag, kHistogramsPlugin, metadata::kTensorClass, "", [&](protozero::pbf_writer& into) {
    protozero::pbf_writer histogram(into, value::kHistogram);
    const double all[] = {counts.begin()->first, counts.rbegin()->first, number, sum, squares};
    for (int i = 0; i < 5; ++i) histogram.add_double(static_cast<protozero::pbf_tag_type>(i + 1), all[i]);
    histogram.add_packed_double(6, limits.begin(), limits.end());
    histogram.add_packed_double(7, sizes.begin(), sizes.end());
  }));
}

void EventFileWriter::hparams(const OrderedJson& settings, const std::vector<std::string>& metrics, const std::string& group, double startUtc, double endUtc, bool failed) {
  const auto put = [&](const char* tag, int part, const auto& fill) {
    std::string content;
    {
      protozero::pbf_writer data(content), inside(data, static_cast<protozero::pbf_tag_type>(part));
      fill(inside);
    }
    record(eventOf(startUtc, 0, tag, kHparamsPlugin, metadata::kTensorClass, content, [](protozero::pbf_writer&) {}));
  };
  put("_hparams_/experiment", hparams::kExperiment, [&](protozero::pbf_writer& experiment) {
    experiment.add_double(4, startUtc);
    for (const auto& [name, setting] : settings.items()) {
      protozero::pbf_writer info(experiment, 5);
      info.add_string(1, name);
      info.add_enum(4, setting.is_number() ? 3 : setting.is_boolean() ? 2 : 1);
    }
    for (const std::string& metric : metrics) {
      protozero::pbf_writer info(experiment, 6);
      protozero::pbf_writer(info, 1).add_string(2, metric);
    }
  });
  put("_hparams_/session_start_info", hparams::kStart, [&](protozero::pbf_writer& start) {
    for (const auto& [name, setting] : settings.items()) {
      protozero::pbf_writer entry(start, hparams::kMap);
      entry.add_string(1, name);
      protozero::pbf_writer held(entry, 2);
      addSetting(held, setting);
    }
    start.add_string(hparams::kGroup, group);
    start.add_double(hparams::kStartTime, startUtc);
  });
  put("_hparams_/session_end_info", hparams::kEnd, [&](protozero::pbf_writer& end) {
    end.add_enum(hparams::kStatus, failed ? hparams::kFailure : hparams::kSuccess);
    end.add_double(hparams::kEndTime, endUtc);
  });
}

std::string EventFileWriter::take() { return std::exchange(bytes_, {}); }

}  // namespace paceline::interchange
