#include "engine/core/spec/suite_axes.h"

#include <charconv>

#include "engine/core/base/error.h"
#include "engine/core/json/fields.h"

namespace paceline {
namespace {

std::vector<std::string> tokensOf(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (const char c : pointer) {
    if (c == '/') tokens.emplace_back();
    else if (!tokens.empty()) tokens.back() += c;
  }
  for (std::string& token : tokens)
    for (std::size_t at = token.find('~'); at != std::string::npos; at = token.find('~', at + 1))
      if (at + 1 < token.size()) token.replace(at, 2, token[at + 1] == '1' ? "/" : "~");
  return tokens;
}

Setting readLabelled(const OrderedJson& value, const std::string& at, std::vector<Finding>& findings) {
  Setting setting;
  const bool fits = value.is_object() && value.size() == 2 && value.contains("name") && value.contains("set") && value["name"].is_string() &&
                    value["set"].is_object();
  if (!fits) {
    addFinding(findings, {at, mustBe("", at, "{\"name\": label, \"set\": {pointer: value, ...}}", described(value))});
    return setting;
  }
  setting.label = value["name"].get<std::string>();
  for (const auto& [pointer, wanted] : value["set"].items()) setting.values.emplace_back(pointer, wanted);
  if (setting.values.empty())
    addFinding(findings, {at, strCat("\"", quotable(setting.label), "\" sets nothing: its runs take all values from the base, whatever its name says."), false});
  return setting;
}

}  // namespace

OrderedJson& placeAt(OrderedJson& document, const std::string& pointer) {
  if (pointer.size() < 2 || pointer[0] != '/') throw Error(Errc::kSpec, strCat("\"", quotable(pointer), "\" is no pointer like /algorithm/id"));
  for (std::size_t tilde = pointer.find('~'); tilde != std::string::npos; tilde = pointer.find('~', tilde + 1))
    if (tilde + 1 == pointer.size() || (pointer[tilde + 1] != '0' && pointer[tilde + 1] != '1'))
      throw Error(Errc::kSpec, strCat("\"", quotable(pointer), "\": behind '~' belongs 0 (for '~') or 1 (for '/')"));
  OrderedJson* at = &document;
  const std::vector<std::string> tokens = tokensOf(pointer);
  if (tokens.size() >= kMaxJsonDepth) throw Error(Errc::kSpec, strCat(quotable(pointer), " is deeper than ", kMaxJsonDepth, " levels"));
  for (const std::string& token : tokens) {
    if (at->is_null()) *at = OrderedJson::object();
    if (at->is_object()) {
      at = &(*at)[token];
      continue;
    }
    std::size_t index = 0;
    const char* end = token.data() + token.size();
    const bool number = std::from_chars(token.data(), end, index).ptr == end && !token.empty();
    if (!at->is_array() || !number || index >= at->size())
      throw Error(Errc::kSpec, strCat(quotable(pointer), ": there is no \"", quotable(token), "\" in ",
                                      at->is_array() ? strCat("an array of ", at->size()) : described(*at)));
    at = &(*at)[index];
  }
  return *at;
}

std::string valueLabel(const std::string& pointer, const OrderedJson& value, std::size_t position) {
  if (value.is_string()) return value.get<std::string>();
  const std::string last = tokensOf(pointer).back();
  if (!value.is_structured()) return last + " " + value.dump();
  if (const auto id = value.is_object() ? value.find("id") : value.end(); id != value.end() && id->is_string()) return id->get<std::string>();
  return strCat(last, " ", position + 1);
}

Axis readAxis(const std::string& key, const OrderedJson& values, std::vector<Finding>& findings) {
  Axis axis;
  const std::string at = pointerTo("/vary", key);
  if (!values.is_array() || values.empty()) {
    addFinding(findings, {at, mustBe("", at, "a list of at least one value", values.is_array() ? "empty" : described(values))});
    return axis;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!key.starts_with("/")) axis.push_back(readLabelled(values[i], pointerTo(at, i), findings));
    else axis.push_back({valueLabel(key, values[i], i), {{key, values[i]}}});
  }
  return axis;
}

}  // namespace paceline
