#include "app/models/imports/import_choice.h"

#include <algorithm>

#include <QObject>

#include "app/models/words.h"
#include "engine/core/base/error.h"

namespace paceline {
namespace {

constexpr const char* kSeparator = "separator";

interchange::ImportProfile profileOf(const std::map<std::string, std::string>& names) {
  interchange::ImportProfile profile;
  for (const auto& [role, name] : names) profile.set(role, name);
  return profile;
}

}  // namespace

const std::vector<ImportRole>& importRoles() {
  static const std::vector<ImportRole> kAll = {
      {"step", QObject::tr("Steps"), QObject::tr("Whole numbers that grow: rounds, iterations, epochs"), true},
      {"accuracy", QObject::tr("Accuracy"), QObject::tr("Becomes the run's evaluations; percent are divided by 100")},
      {"loss", QObject::tr("Training loss"), QObject::tr("Becomes the run's rounds")},
      {"evaluation_loss", QObject::tr("Test loss"), QObject::tr("Loss of the evaluations")},
      {"samples", QObject::tr("Samples"), QObject::tr("Trained so far, of all workers")},
      {"time", QObject::tr("Time"), QObject::tr("Seconds since 1970 (Unix time)"), true},
      {"run", QObject::tr("Run"), QObject::tr("Tells the runs of one table apart"), true},
      {"name", QObject::tr("Name of the number"), QObject::tr("Where each row has one number: what it is called"), true},
      {"value", QObject::tr("Number"), QObject::tr("Where each row has one number: the number"), true},
  };
  return kAll;
}

ImportChoice::ImportChoice(std::string path) : path_(std::move(path)) { read(); }

void ImportChoice::read() {
  if (path_.empty()) return;
  interchange::ImportProfile separator;
  if (const auto told = names_.find(kSeparator); told != names_.end()) separator.set(kSeparator, told->second);
  head_ = interchange::tableHead(path_, separator);
}

void ImportChoice::set(const std::string& role, const std::string& name) {
  if (name.empty()) names_.erase(role);
  else names_[role] = name;
  if (role == kSeparator) read();
}

std::string ImportChoice::of(const std::string& role) const {
  const auto found = names_.find(role);
  return found == names_.end() ? "" : found->second;
}

QString ImportChoice::load(const std::string& text, const std::string& from) try {
  const interchange::ImportProfile profile = interchange::ImportProfile::fromJson(text, from);
  std::map<std::string, std::string> names;
  for (const ImportRole& each : importRoles())
    if (const std::string* name = profile.find(each.role)) names[each.role] = *name;
  if (const std::string* separator = profile.find(kSeparator)) names[kSeparator] = *separator;
  names_ = std::move(names);
  read();
  return {};
} catch (const Error& error) {
  return qtext(error.what());
}

std::string ImportChoice::profile() const { return profileOf(names_).text(); }

QString ImportChoice::problem() const {
  if (path_.empty()) return QObject::tr("Choose a file or a folder");
  if (!isTable()) return {};
  for (const ImportRole& each : importRoles())
    if (const std::string name = of(each.role); !name.empty() && std::ranges::count(head_.names, name) == 0)
      return QObject::tr("The table has no column \"%1\" for %2").arg(qtext(name), each.name);
  if (of("step").empty() && !head_.stepKnown) return QObject::tr("Choose the column of the step; no name says which it is");
  if (of("name").empty() != of("value").empty()) return QObject::tr("Where each row has one number, choose both the column of its name and that of the number");
  return {};
}

}  // namespace paceline
