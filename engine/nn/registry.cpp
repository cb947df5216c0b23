#include "engine/nn/model.h"
#include "engine/nn/model_choice.h"
#include "registry/model_families.h"
#include "registry/models.h"

namespace paceline {

const std::vector<ModelDef>& models() {
  static const std::vector<ModelDef> defs = [] {
    std::vector<ModelDef> made;
    for (auto* function : k_models) made.push_back(function());
    for (auto* function : k_model_families)
      for (ModelDef& def : function()) made.push_back(std::move(def));
    for (ModelDef& def : made) {
      def.params.push_back(deterministicParam());
      def.params.push_back(initParam(def.init));
    }
    return made;
  }();
  return defs;
}

const ModelDef* findModel(const std::string& id) {
  for (const ModelDef& def : models())
    if (def.id == id) return &def;
  return nullptr;
}

}  // namespace paceline
