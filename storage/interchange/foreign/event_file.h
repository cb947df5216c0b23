// TensorBoard's event files: records of length and checksum (TFRecord), each a protobuf `Event`. Facts: tensorflow/core/lib/io/record_writer.h, util/event.proto,
// framework/summary.proto, tensorboard/plugins/hparams.
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json/json_text.h"

namespace paceline::interchange {

// What an Event says that has a place here.
struct EventScalar {
  std::string tag;
  double value = 0;
};
struct EventHparams {
  OrderedJson settings = OrderedJson::object();
  std::string group = {};
  double startUtc = 0;
  std::optional<double> endUtc = {};
  bool failed = false;
};
struct FileEvent {
  double unixTime = 0;  // s
  std::int64_t step = 0;
  bool restarts = false;  // a session began: what is there with this step or a later one is superseded
  std::vector<EventScalar> scalars = {};
  std::optional<EventHparams> hparams = {};
};

// Reads records while their checksums hold; never throws for what the file says.
class EventFileReader {
 public:
  explicit EventFileReader(const std::string& path);
  static bool begins(std::string_view bytes);  // the first bytes of such a file; 64 are enough
  std::optional<FileEvent> next();             // nullopt: that is all
  const std::string& broken() const { return broken_; }  // why it ended before the file did; "": it did not

 private:
  std::optional<std::string> record();
  std::ifstream file_;
  std::string broken_;
};

// Writes them into memory.
class EventFileWriter {
 public:
  explicit EventFileWriter(double unixTime);  // with the record that names the version
  void scalar(double unixTime, std::int64_t step, const std::string& tag, double value);
  void histogram(double unixTime, std::int64_t step, const std::string& tag, const std::map<double, double>& counts);  // value -> how many had it
  // The setting and times of a run for TensorBoard's HParams page; runs of one group are one row there.
  void hparams(const OrderedJson& settings, const std::vector<std::string>& metrics, const std::string& group, double startUtc, double endUtc, bool failed);
  std::string take();

 private:
  void record(const std::string& event);
  std::string bytes_;
};

}  // namespace paceline::interchange
