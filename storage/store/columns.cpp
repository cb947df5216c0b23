#include "storage/store/columns.h"

namespace paceline::store {

std::string namesOf(const std::vector<Column>& columns, const char* before) {
  std::string names;
  for (const Column& column : columns) names += (names.empty() ? "" : ", ") + std::string(before) + column.name;
  return names;
}

std::string placesFor(std::size_t values) {
  std::string places = "?";
  while (--values > 0) places += ", ?";
  return places;
}

}  // namespace paceline::store
