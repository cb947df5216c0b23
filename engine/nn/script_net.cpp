#include "engine/nn/script_net.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/print_handler.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/nn/flat_model.h"
#include "engine/nn/torch_objective.h"

namespace paceline {
namespace {

// LibTorch says where in the file it failed and why on many lines; what a person needs is the last one that says something.
std::string torchReason(const std::exception& error) {
  const std::string text = error.what();
  std::istringstream lines(text.substr(0, text.find("Exception raised from")));
  std::string last, line;
  while (std::getline(lines, line))
    if (line.find_first_not_of(" ~^-.<>-") != std::string::npos && !line.starts_with("  File") && !line.starts_with("Traceback")) last = line;
  for (const std::string_view before : {"RuntimeError: ", "] err == 0. "})  // the second ends what names a line of LibTorch
    if (const std::size_t at = last.find(before); at != std::string::npos) last.erase(0, at + before.size());
  return quotable(trimmedEnd(last), 200);
}

template <class Call>
auto saidOf(const std::string& name, const char* doing, Call call) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // LibTorch throws several kinds here
    throw Error(Errc::kSpec, strCat("model file ", name, ": ", doing, ": ", torchReason(error)));
  }
}

bool drawsIn(const torch::jit::Block* block) {
  constexpr std::string_view kDrawing[] = {"dropout", "rand", "bernoulli", "normal", "uniform", "multinomial", "rrelu", "exponential", "poisson"};
  for (const torch::jit::Node* node : block->nodes()) {
    const std::string kind = node->kind().toQualString();
    if (kind.starts_with("aten::") && std::ranges::any_of(kDrawing, [&](std::string_view word) { return kind.find(word) != std::string::npos; })) return true;
    for (const torch::jit::Block* inner : node->blocks())
      if (drawsIn(inner)) return true;
  }
  return false;
}

bool drawsIn(const torch::jit::Method& method) {
  const auto graph = method.graph()->copy();
  torch::jit::Inline(*graph);
  return drawsIn(graph->block());
}

// What it prints must not come among a node's records, which are its stdout.
void printElsewhere() {
  static std::once_flag once;
  std::call_once(once, [] { torch::jit::setPrintHandler([](const std::string& text) { std::fputs(text.c_str(), stderr); }); });
}

constexpr const char* kBetter = "higher_is_better";

class LoadedNet final : public ScriptNet {
 public:
  LoadedNet(std::string name, torch::jit::Module module) : name_(std::move(name)), module_(std::move(module)) {
    const auto forward = module_.find_method("forward");
    if (!forward) throw Error(Errc::kSpec, strCat("model file ", name_, " has no method forward()"));
    loss_ = module_.find_method("loss"), metrics_ = module_.find_method("metrics");
    requireInputs(*forward, 1);
    if (loss_) requireInputs(*loss_, 2);
    if (metrics_) requireInputs(*metrics_, 2);
    if (module_.hasattr(kBetter)) {
      const torch::jit::IValue better = module_.attr(kBetter);
      if (!better.isBool()) throw Error(Errc::kSpec, strCat("model file ", name_, ": ", kBetter, " must be a bool; it is ", better.tagKind()));
      lowerIsBetter_ = !better.toBool();
    }
    for (const auto& parameter : module_.named_parameters()) {
      if (parameter.value.scalar_type() != torch::kFloat)
        throw Error(Errc::kSpec, strCat("model file ", name_, ": parameter ", parameter.name, " is ", c10::toString(parameter.value.scalar_type()), "; only Float is trained"));
      parameters_.emplace_back(parameter.name, parameter.value);
    }
    for (const auto& buffer : module_.named_buffers()) buffers_.emplace_back(buffer.name, buffer.value);
    if (parameters_.empty()) throw Error(Errc::kSpec, strCat("model file ", name_, " has no parameters"));
    for (auto& [id, tensor] : parameters_) tensor.set_requires_grad(true);
    draws_ = drawsIn(*forward) || (loss_ && drawsIn(*loss_));
  }

  torch::Tensor forward(torch::Tensor inputs) override {
    return saidOf(name_, "forward()", [&] {
      const torch::jit::IValue output = called(module_.get_method("forward"), {inputs});
      if (!output.isTensor()) throw Error(Errc::kSpec, strCat("model file ", name_, ": forward() gives ", output.tagKind(), ", not a Tensor"));
      return output.toTensor();
    });
  }

  torch::Tensor loss(const torch::Tensor& output, const torch::Tensor& target) override {
    if (!loss_) return Net::loss(output, target);
    return saidOf(name_, "loss()", [&] {
      const torch::jit::IValue value = called(*loss_, {output, target});
      if (!value.isTensor() || value.toTensor().numel() != 1) throw Error(Errc::kSpec, strCat("model file ", name_, ": loss() must give a Tensor of one number"));
      return value.toTensor().reshape({});
    });
  }

  std::vector<NamedNumber> metrics(const torch::Tensor& output, const torch::Tensor& target) override {
    if (!metrics_) return {};
    return saidOf(name_, "metrics()", [&] {
      std::vector<NamedNumber> named;
      const torch::jit::IValue value = called(*metrics_, {output, target});
      if (!value.isGenericDict()) throw Error(Errc::kSpec, strCat("model file ", name_, ": metrics() must give a Dict[str, Tensor] or Dict[str, float]"));
      for (const auto& entry : value.toGenericDict())
        named.push_back({entry.key().toStringRef(), entry.value().isTensor() ? entry.value().toTensor().item<double>() : entry.value().toDouble()});
      if (named.empty()) throw Error(Errc::kSpec, strCat("model file ", name_, ": metrics() gives none"));
      return named;
    });
  }

  bool hasLoss() const override { return loss_.has_value(); }
  NamedTensors tensors() override { return {.parameters = parameters_, .buffers = buffers_}; }
  bool draws() const override { return draws_; }
  bool hasMetrics() const override { return metrics_.has_value(); }
  bool lowerIsBetter() const override { return lowerIsBetter_; }
  bool hasStatistics() const override {
    return std::ranges::any_of(buffers_, [](const NamedTensor& buffer) { return buffer.first.ends_with("running_mean"); });
  }
  bool hasImageWeights() const override {
    return std::ranges::any_of(parameters_, [](const auto& parameter) { return parameter.second.dim() == 4; });
  }

  void train(bool on = true) override {
    Net::train(on);
    module_.train(on);
  }

  // Scheme "file": as they are. Else dense layers, convolutions and norms begin anew; the rest keeps the file's values.
  void start(const std::string& scheme, std::uint64_t seed) override {
    if (scheme == "file") return;
    const torch::NoGradGuard noGrad;
    std::uint64_t layer = 0;
    for (const auto& part : module_.named_modules()) {
      std::map<std::string, torch::Tensor> own;
      for (const auto& parameter : part.value.named_parameters(/*recurse=*/false)) own.emplace(parameter.name, parameter.value);
      for (const auto& buffer : part.value.named_buffers(/*recurse=*/false)) own.emplace(buffer.name, buffer.value);
      const auto weight = own.find("weight"), bias = own.find("bias");
      if (weight == own.end()) continue;
      if (weight->second.dim() >= 2) {
        initialiseLayer(weight->second, bias == own.end() ? torch::Tensor() : bias->second, scheme, seed, layer++);
        continue;
      }
      weight->second.fill_(1);
      if (bias != own.end()) bias->second.zero_();
      if (const auto mean = own.find("running_mean"); mean != own.end()) mean->second.zero_();
      if (const auto variance = own.find("running_var"); variance != own.end()) variance->second.fill_(1);
    }
  }

  void checkUnchanged() const override {
    std::size_t i = 0;
    for (const auto& parameter : module_.named_parameters()) {
      const bool same = i < parameters_.size() && parameter.name == parameters_[i].first && parameter.value.is_same(parameters_[i].second);
      if (!same) throw Error(Errc::kSpec, strCat("model file ", name_, " replaces its parameter ", parameter.name, " while it computes; what is trained would not be what it uses"));
      ++i;
    }
    if (i != parameters_.size()) throw Error(Errc::kSpec, strCat("model file ", name_, " drops parameters while it computes: ", i, " of ", parameters_.size(), " are left"));
  }

 private:
  void requireInputs(const torch::jit::Method& method, std::size_t wanted) const {
    const auto& arguments = method.function().getSchema().arguments();  // the first is self
    const std::size_t most = arguments.size() - 1;
    const auto least = static_cast<std::size_t>(std::ranges::count_if(arguments, [](const c10::Argument& argument) { return !argument.default_value(); })) - 1;
    if (wanted < least || wanted > most)
      throw Error(Errc::kSpec, strCat("model file ", name_, ": ", method.name(), "() takes ", least, wanted < least ? " or more" : "", " values, Paceline gives it ", wanted));
  }

  // Step by step as Python would: what the optimiser of graphs makes of them differs in the last bits between the first steps and later ones.
  static torch::jit::IValue called(const torch::jit::Method& method, std::vector<torch::jit::IValue> arguments) {
    const torch::jit::GraphOptimizerEnabledGuard plain(false);
    return method(std::move(arguments));
  }

  std::string name_;
  torch::jit::Module module_;
  c10::optional<torch::jit::Method> loss_, metrics_;
  std::vector<NamedTensor> parameters_, buffers_;
  bool draws_ = false, lowerIsBetter_ = false;
};

}  // namespace

ScriptReport scriptReport(const PinnedFile& file) {
  const std::shared_ptr<ScriptNet> net = scriptNet(quotable(file.path, 200), bytesOf(file));
  const FlatModel model(net, false);
  return {.blocks = model.blocks(), .loss = net->hasLoss(), .metrics = net->hasMetrics(), .draws = net->draws()};
}

std::shared_ptr<ScriptNet> scriptNet(const std::string& name, const std::string& bytes) {
  printElsewhere();
  std::istringstream stream(bytes);
  try {
    return std::make_shared<LoadedNet>(name, torch::jit::load(stream, torch::kCPU));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    const bool isZip = bytes.starts_with("PK");
    const bool newer = text.find("version") != std::string::npos && (text.find("newer") != std::string::npos || text.find("supported") != std::string::npos);
    const bool unknown = text.find("Unknown builtin op") != std::string::npos || text.find("Unknown type") != std::string::npos;
    if (!isZip) throw Error(Errc::kSpec, strCat("model file ", name, " is no TorchScript file; torch.jit.script(model).save(...) makes one"));
    if (newer || unknown) throw Error(Errc::kSpec, strCat("model file ", name, " needs a newer LibTorch than this host's ", torchVersion(), ": ", torchReason(error)));
    throw Error(Errc::kSpec, strCat("model file ", name, " cannot be loaded by LibTorch ", torchVersion(), ": ", torchReason(error)));
  }
}

}  // namespace paceline
