// The user's own model in Python: a command that computes gradients in a process of its own.
#include "engine/core/base/error.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/nn/model.h"
#include "engine/nn/python_learner.h"

namespace paceline {

ModelDef python() {
  return {.id = kPythonModel,
          .title = "Your own model (Python)",
          .summary = "A Python file that ends with serve_torch(module) or serve(...) of paceline_objective: PyTorch, JAX, NumPy. It computes in a process of its own beside each worker.",
          .params = {codeFileParam("path", "The Python file. It is code: it is confirmed once with its command, and the run goes on with exactly that content."),
                     textParam(kCommandParam, kUsualCommand, "What starts the file, on every host: an interpreter with its options."),
                     advanced(realParam({"answer_s", "Longest wait"}, 600, 1, 1e6, "A command that has not answered for so long ends the run.", "s"))},
          .init = "file",
          .make = [](const Params&, const Shape&, int) -> std::shared_ptr<Net> { throw Error(Errc::kSpec, "a model in Python computes in a process of its own"); }};
}

void startBlocks(std::span<Real> values, std::span<const Block> blocks, const std::string& scheme, std::uint64_t seed) {
  const torch::NoGradGuard noGrad;
  const auto tensorOf = [&](const Block& block) { return torch::from_blob(values.data() + block.offset, block.shape, torch::kFloat); };
  std::uint64_t layer = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].trainable || !blocks[i].name.ends_with("weight")) continue;
    const std::string front = blocks[i].name.substr(0, blocks[i].name.size() - std::string_view("weight").size());
    const bool hasBias = i + 1 < blocks.size() && blocks[i + 1].name == front + "bias";
    torch::Tensor weight = tensorOf(blocks[i]), bias = hasBias ? tensorOf(blocks[i + 1]) : torch::Tensor();
    if (weight.dim() >= 2) {
      initialiseLayer(weight, bias, scheme, seed, layer++);
      continue;
    }
    weight.fill_(1);
    if (hasBias) bias.zero_();
  }
}

}  // namespace paceline
