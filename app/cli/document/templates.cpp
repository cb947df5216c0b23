#include "app/cli/document/templates.h"

#include <algorithm>
#include <set>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/schema.h"
#include "resources/presets.h"

namespace paceline::cli {
namespace {

constexpr std::size_t kWidth = 130;  // of a comment

std::string lines(const std::string& indent, const std::string& comment) {
  std::string text;
  std::size_t from = 0;
  while (from < comment.size()) {
    std::size_t end = comment.size();
    if (end - from > kWidth) {
      end = comment.rfind(' ', from + kWidth);
      if (end == std::string::npos || end <= from) end = std::min(comment.find(' ', from + kWidth), comment.size());
    }
    text += indent + "// " + comment.substr(from, end - from) + "\n";
    from = std::min(comment.find_first_not_of(' ', end), comment.size());
  }
  return text;
}

std::string sentence(const std::string& title, const std::string& summary) { return summary.empty() ? title : title + ": " + summary; }

class Commented {
 public:
  Commented(const OrderedJson& document, const Catalog& catalog) : document_(document), catalog_(catalog) {}

  std::string text() {
    object(document_, "", "  ");
    return std::move(text_);
  }

 private:
  std::string chosenHelp(const std::string& pointer, const OrderedJson& value) const {
    const std::string id = value.is_object() ? value.value("id", "") : "";
    const auto of = [&id](const auto& entries) {
      const auto* entry = findEntry(entries, id);
      return entry ? sentence(entry->title, entry->summary) : std::string();
    };
    if (pointer == "/algorithm") return of(catalog_.algorithms);
    if (pointer == "/model") return of(catalog_.models);
    if (pointer == "/dataset") return of(catalog_.datasets);
    if (pointer == "/partition") return of(catalog_.partitions);
    if (pointer == "/aggregation") return of(catalog_.aggregations);
    if (pointer == "/topology") return of(catalog_.topologies);
    if (pointer == "/learning_rate_schedule") return of(catalog_.schedules);
    return "";
  }
  std::string paramHelp(const std::string& pointer) const {
    const std::size_t at = pointer.find("/params/");
    if (at == std::string::npos) return "";
    const std::string owner = pointer.substr(0, at), name = pointer.substr(at + 8), id = document_.value(OrderedJson::json_pointer(owner + "/id"), "");
    const auto of = [&](const auto& entries) -> std::string {
      const auto* entry = findEntry(entries, id);
      if (!entry) return "";
      const auto param = std::ranges::find(entry->params, name, &ParamSpec::name);
      return param == entry->params.end() ? "" : param->help;
    };
    if (owner == "/algorithm") return of(catalog_.algorithms);
    if (owner == "/model") return of(catalog_.models);
    if (owner == "/dataset") return of(catalog_.datasets);
    return owner == "/partition" ? of(catalog_.partitions) : "";
  }
  std::string helpOf(const std::string& pointer, const OrderedJson& value) const {
    if (std::string help = chosenHelp(pointer, value); !help.empty()) return help;
    if (std::string help = paramHelp(pointer); !help.empty()) return help;
    const std::size_t last = pointer.rfind('/');
    if (last > 0 && pointer.substr(last) == "/id" && pointer.find('/', 1) == last) return "";  // said before its section
    return fieldHelp(pointer);
  }

  // Of all members below a list's elements, each once.
  void elementHelp(const OrderedJson& value, const std::string& pointer, const std::string& shown, const std::string& indent, std::set<std::string>& told) {
    for (const auto& [key, member] : value.items()) {
      const std::string at = pointerTo(pointer, key), named = shown.empty() ? key : shown + "." + key;
      if (member.is_object()) elementHelp(member, at, named, indent, told);
      else if (const std::string help = fieldHelp(at); !help.empty() && told.insert(named).second) text_ += lines(indent, named + ": " + help);
    }
  }

  void object(const OrderedJson& value, const std::string& pointer, const std::string& indent) {
    text_ += "{\n";
    std::size_t left = value.size();
    for (const auto& [key, member] : value.items()) {
      const std::string at = pointerTo(pointer, key);
      if (pointer.empty() || !member.is_object()) text_ += lines(indent, helpOf(at, member));
      const bool rows = member.is_array() && !member.empty() && member.front().is_object();
      std::set<std::string> told;
      if (rows)
        for (const OrderedJson& element : member) elementHelp(element, at + "/0", "", indent, told);
      text_ += indent + dumped(OrderedJson(key)) + ": ";
      if (member.is_object() && !member.empty()) {
        object(member, at, indent + "  ");
      } else if (rows) {
        text_ += "[\n";
        for (std::size_t i = 0; i < member.size(); ++i) text_ += indent + "  " + dumped(member[i]) + (i + 1 < member.size() ? ",\n" : "\n");
        text_ += indent + "]";
      } else {
        text_ += dumped(member);
      }
      text_ += --left > 0 ? ",\n" : "\n";
    }
    if (pointer.empty()) leftOut(indent);
    text_ += indent.substr(2) + "}";
  }

  void leftOut(const std::string& indent) {
    text_ += "\n" + lines(indent, "What it leaves out:");
    for (const FieldInfo& field : runSpecFields()) {
      const bool there = document_.contains(OrderedJson::json_pointer(field.pointer));
      if (!there && !field.help.empty() && field.pointer.find("/0") == std::string::npos) text_ += lines(indent, field.pointer + ": " + fieldHelp(field.pointer));
    }
  }

  const OrderedJson& document_;
  const Catalog& catalog_;
  std::string text_;
};

}  // namespace

const std::vector<Template>& templates() {
  static const std::vector<Template> all = [] {
    std::vector<Template> read;
    for (const Preset& preset : kPresets) {
      const Json document = jsonFrom(preset.text, preset.id);
      read.push_back({.id = preset.id, .name = document.value("name", ""), .notes = document.value("notes", ""), .text = preset.text});
    }
    return read;
  }();
  return all;
}

const Template& chosenTemplate(const std::string& id) {
  const auto found = std::ranges::find(templates(), id, &Template::id);
  if (found != templates().end()) return *found;
  std::vector<std::string> ids;
  for (const Template& each : templates()) ids.push_back(each.id);
  throw Error(Errc::kUsage, strCat("no template \"", quotable(id), "\"; have ", listed(ids)));
}

std::string commentedDocument(const Template& chosen, const Catalog& catalog) {
  const OrderedJson document = orderedJsonFrom(chosen.text, chosen.id);
  std::string head = lines("", "An experiment for Paceline. `paceline validate FILE` says what is wrong with it, `paceline predict FILE` how long it takes, `paceline run FILE` runs it; "
                               "`paceline catalog` lists what it can name, `paceline schema` describes every member. Comments are passed over.");
  return head + Commented(document, catalog).text() + "\n";
}

}  // namespace paceline::cli
