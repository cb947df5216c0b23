#include "engine/core/json/read_described.h"

#include <algorithm>

namespace paceline {

std::string alternatives(std::span<const char* const> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += strCat(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

bool ValueReader::refuse(const std::string& at, std::string message) {
  findings_.push_back({at, std::move(message)});
  return false;
}

bool ValueReader::readText(const Json& json, const std::string& at, std::string& into) {
  std::size_t index = 0;
  if (!field_.choices.empty()) return readWord(json, at, field_.choices, index) && (into = field_.choices[index], true);
  auto text = fields::toText(json, at, findings_);
  if (text) into = std::move(*text);
  return text.has_value();
}

bool ValueReader::readWord(const Json& json, const std::string& at, std::span<const char* const> words, std::size_t& index) {
  const auto text = fields::toText(json, at, findings_);
  if (!text) return false;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found == words.end()) return refuse(at, strCat("must be ", alternatives(words), ", got \"", quotable(*text), "\""));
  index = static_cast<std::size_t>(found - words.begin());
  return true;
}

void MemberReader::readVersion(std::string_view key, int number) {
  const Json* version = fields_.find(key);
  if (!fields_.isObject()) return;
  if (version == nullptr) return fields_.refuse(key, strCat("is required and must be ", number));
  if (version->is_number() && *version == number) return;
  const bool newer = version->is_number() && *version > number;
  fields_.refuse(key, strCat("must be ", number, ", the version of the document's form, got ", described(*version), newer ? "; a newer Paceline wrote it" : ""));
}

}  // namespace paceline
