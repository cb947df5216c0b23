#include "app/cluster/worker/data_answer.h"

#include "engine/core/json/fields.h"

namespace paceline::worker {

void describe(auto& visit, PublishedFile& file) {
  visit(Field{.key = "name", .required = true}, file.name);
  visit(Field{.key = "url", .required = true}, file.url);
  visit(Field{.key = "sha256"}, file.sha256);
  visit(Field{.key = "bytes", .bounds = atLeast(0)}, file.bytes);
}

void describe(auto& visit, ListedSet& set) {
  visit(Field{.key = "id", .required = true}, set.id);
  visit(Field{.key = "location"}, set.location);
  visit(Field{.key = "download_to"}, set.downloadTo);
  visit(Field{.key = "shape"}, set.shape);
  visit(Field{.key = "classes"}, set.classes);
  visit(Field{.key = "train_count"}, set.trainCount);
  visit(Field{.key = "test_count"}, set.testCount);
  visit(Field{.key = "files", .required = true}, set.files);
}

void describe(auto& visit, ListedData& data) { visit(Field{.key = "datasets", .required = true}, data.sets); }

void describe(auto& visit, CheckedFile& file) {
  visit(Field{.key = "name", .required = true}, file.name);
  visit(Field{.key = "state", .required = true}, file.state);
  visit(Field{.key = "bytes"}, file.bytes);
}

void describe(auto& visit, CheckedSplit& split) {
  visit(Field{.key = "name", .required = true}, split.name);
  visit(Field{.key = "images", .required = true}, split.images);
  visit(Field{.key = "broken"}, split.broken);
  visit(Field{.key = "per_class"}, split.perClass);
  visit(Field{.key = "broken_files"}, split.brokenFiles);
}

void describe(auto& visit, CheckedData& data) {
  visit(Field{.key = "id", .required = true}, data.id);
  visit(Field{.key = "path", .required = true}, data.path);
  visit(Field{.key = "decoded"}, data.decoded);
  visit(Field{.key = "class_names"}, data.classNames);
  visit(Field{.key = "files", .required = true}, data.files);
  visit(Field{.key = "splits", .required = true}, data.splits);
  visit(Field{.key = "problems", .required = true}, data.problems);
}

ListedData listedData(const Json& document) { return readFrom<ListedData>(document, "local: paceline-worker data list"); }
CheckedData checkedData(const Json& document) { return readFrom<CheckedData>(document, "local: paceline-worker data check"); }

}  // namespace paceline::worker
