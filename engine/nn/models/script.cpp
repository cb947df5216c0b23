// The user's own network, in a TorchScript file.
#include "engine/core/base/error.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/nn/script_net.h"

namespace paceline {

ModelDef script() {
  return {.id = "script",
          .title = "Your own model (TorchScript)",
          .summary = "A file that torch.jit.script(model).save(...) wrote. It may have methods loss(output, target) and metrics(output, target); else cross-entropy, or squared error for numbers.",
          .params = {codeFileParam("path", "The TorchScript file. It is code: each one is confirmed once, and the run goes on with exactly that content.")},
          .init = "file",
          .make = [](const Params& params, const Shape&, int) -> std::shared_ptr<Net> {
            const PinnedFile file = pinnedFile(params.text("path"));
            if (file.path.empty() && file.sha256.empty()) throw Error(Errc::kSpec, "/model/params/path: must name a TorchScript file");
            return scriptNet(quotable(file.path.empty() ? file.sha256 : file.path, 200), bytesOf(file));
          }};
}

}  // namespace paceline
