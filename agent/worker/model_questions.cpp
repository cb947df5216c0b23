#include "agent/worker/model_questions.h"

#include <algorithm>
#include <iostream>
#include <optional>

#include "agent/simulation/simulation.h"
#include "agent/worker/process_limits.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/data/datasets/dataset.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

constexpr std::int64_t kCheckMemory = std::int64_t{8} << 30;
constexpr int kCheckSeconds = 120;

Json blocksJson(std::span<const Block> blocks) {
  Json all = Json::array();
  for (const Block& block : blocks) all.push_back({{"name", block.name}, {"shape", block.shape}, {"trainable", block.trainable}});
  return all;
}

bool namesCode(const RunSpec& spec) {
  const std::vector<ModelEntry> models = modelCatalog();
  const ModelEntry* entry = findEntry(models, spec.model.id);
  return entry != nullptr && std::ranges::any_of(entry->params, &ParamSpec::code);
}

// Two gradients on the document's data, the second one timed.
Json stepOf(const RunSpec& spec, Objective& objective, const std::shared_ptr<const datasets::Dataset>& data) {
  const std::unique_ptr<Clock> clock = steadyClock();
  std::vector<Real> gradient(objective.parameters().size());
  objective.gradient(gradient);
  const double start = clock->now();
  const StepStats stats = objective.gradient(gradient);
  const double seconds = clock->now() - start;
  return {{"dataset", spec.dataset.id}, {"input", data->inputDims()}, {"input_type", elementName(data->form.inputType)}, {"target", data->form.target},
          {"target_type", elementName(data->form.targetType)}, {"classes", data->classes}, {"samples", stats.samples}, {"loss", jsonNumber(stats.loss)}, {"step_s", seconds}};
}

}  // namespace

void limitForCode(const RunSpec& spec) {
  if (namesCode(spec)) limitThisProcess({.memoryBytes = kCheckMemory, .cpuSeconds = kCheckSeconds, .fileBytes = 0});
}

void limitNode(const RunSpec& spec) {
  if (namesCode(spec)) limitThisProcess({.memoryBytes = machineMemoryBytes()});
}

void answerAboutModels(const std::vector<std::string>& words) {
  if (words.size() < 2 || words.size() > 3 || words[0] != "check") throw Error(Errc::kUsage, "model: expected check FILE [SPEC.json|-]");
  const PinnedFile file = pinnedFile(words[1]);
  std::optional<RunSpec> spec;
  if (words.size() == 3) {
    ParsedSpec parsed = parseRunSpec(simulation::textOf(words[2]));
    simulation::refuseErrors(words[2], parsed.findings);
    spec = std::move(parsed.spec);
  }
  std::shared_ptr<const datasets::Dataset> data = spec ? loadDataset(*spec) : nullptr;  // may take more than the limits
  limitThisProcess({.memoryBytes = kCheckMemory, .cpuSeconds = kCheckSeconds, .fileBytes = 0});
  useThreads(1);
  const auto* command = spec ? valueOf<std::string>(spec->model.params, kCommandParam) : nullptr;
  const std::unique_ptr<Objective> commanded = command ? makeTorchObjective(*spec, 0, data) : nullptr;
  const ScriptReport found = commanded ? ScriptReport{.blocks = {commanded->blocks().begin(), commanded->blocks().end()}} : scriptReport(file);
  std::int64_t parameters = 0;
  for (const Block& block : found.blocks) parameters += block.trainable ? static_cast<std::int64_t>(block.size) : 0;
  Json answer = {{"path", file.path}, {"sha256", sha256OfFile(pathHere(file))}, {"torch", torchVersion()}, {"parameters", parameters}, {"tensors", blocksJson(found.blocks)}};
  if (command) answer["command"] = *command;
  else answer.update({{"loss", found.loss}, {"metrics", found.metrics}, {"random", found.draws}});
  if (spec) answer["step"] = stepOf(*spec, commanded ? *commanded : *makeTorchObjective(*spec, 0, data), data);
  if (commanded) commanded->evaluate();
  mayWriteFilesAgain();  // stdout may be one
  std::cout << dumped(answer, 2) << '\n';
  if (!std::cout.flush()) throw Error(Errc::kFile, "cannot write to stdout");
}

}  // namespace paceline
