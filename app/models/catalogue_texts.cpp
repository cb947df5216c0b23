#include "app/models/catalogue_texts.h"

#include <algorithm>
#include <set>

#include "app/figures/figure.h"
#include "app/report/document.h"
#include "engine/core/spec/schema.h"

namespace paceline {
namespace {

class Texts {
 public:
  void add(const std::string& text) {
    const bool letters = std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    if (letters && known_.insert(text).second) all.push_back(text);
  }

  void add(const CatalogEntry& entry) {
    add(entry.title), add(entry.summary);
    for (const ParamSpec& param : entry.params) {
      add(labelOf(param)), add(param.help), add(param.unit);
      for (const std::string& choice : param.choices) add(labelOf(param, choice));
    }
  }

  std::vector<std::string> all;

 private:
  std::set<std::string> known_;
};

}  // namespace

std::vector<std::string> catalogueTexts(const Catalog& catalog) {
  Texts texts;
  for (const FieldInfo& field : runSpecFields()) texts.add(field.label), texts.add(field.help), texts.add(field.unit);
  for (const auto& each : catalog.algorithms) texts.add(each);
  for (const auto& each : catalog.aggregations) texts.add(each);
  for (const auto& each : catalog.models) texts.add(each);
  for (const auto& each : catalog.datasets) texts.add(each);
  for (const auto& each : catalog.partitions) texts.add(each);
  for (const auto& each : catalog.schedules) texts.add(each);
  for (const auto& each : catalog.topologies) texts.add(each);
  for (const FigureDef& figure : figures()) texts.add(figure.title), texts.add(figure.summary);
  for (const std::string& text : report::syntaxTexts()) texts.add(text);
  return texts.all;
}

}  // namespace paceline
