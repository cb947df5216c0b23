// paceline model check | trust: model files of the user's own. Only paceline-worker loads them, within limits.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/document/model_note.h"
#include "app/cli/runs/followed_runs.h"
#include "app/cluster/worker/own_files.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/pinned_file.h"

namespace paceline::cli {
namespace {

struct ModelArguments {
  std::string file, data, dataset, command;
  bool json = false;
};

// What starts the file; "": it is TorchScript, which is loaded.
std::string commandOf(const ModelArguments& arguments) { return arguments.command.empty() && arguments.file.ends_with(".py") ? kUsualCommand : arguments.command; }

std::string trustLine(const ModelArguments& arguments) {
  return strCat("paceline model trust ", arguments.file, arguments.command.empty() ? "" : strCat(" --command \"", arguments.command, "\""));
}

// A document of one worker that trains the file on these data.
std::string documentFor(const ModelArguments& arguments) {
  Json dataset = {{"id", arguments.dataset}};
  if (arguments.dataset.empty()) dataset["id"] = "tensors";
  if (!arguments.data.empty()) dataset["params"] = {{"path", std::filesystem::absolute(arguments.data).string()}};
  const std::string command = commandOf(arguments);
  Json model = {{"id", "script"}, {"params", {{"path", arguments.file}}}};
  if (!command.empty()) model = {{"id", "python"}, {"params", {{"path", arguments.file}, {kCommandParam, command}}}};
  return Json{{"paceline", 1}, {"algorithm", {{"id", "standalone"}}}, {"model", model}, {"dataset", dataset},
              {"nodes", {{{"id", "w0"}}}}, {"stop", {{"rounds", 1}}}}
      .dump();
}

void printModel(const Json& found) {
  std::cout << found.at("path").get<std::string>() << "\nSHA-256 " << found.at("sha256").get<std::string>() << '\n';
  std::vector<std::vector<std::string>> rows;
  for (const Json& tensor : found.at("tensors")) rows.push_back({tensor.at("name").get<std::string>(), worker::dimsText(tensor.at("shape")), tensor.at("trainable").get<bool>() ? "trained" : "statistics"});
  std::cout << tableText({"tensor", "shape", "is"}, rows);
  std::cout << found.at("parameters").get<std::int64_t>() << " parameters";
  if (found.contains("command")) std::cout << "; computes in a process of \"" << found.at("command").get<std::string>() << "\"\n";
  else
    std::cout << "; " << (found.at("loss").get<bool>() ? "a loss of its own" : "no loss(output, target)") << ", "
            << (found.at("metrics").get<bool>() ? "metrics of its own" : "no metrics(output, target)") << (found.at("random").get<bool>() ? "; draws random numbers in training" : "") << '\n';
  if (!found.contains("step")) {
    std::cout << "loaded, not run: name its data with --data FILE or --dataset ID\n";
    return;
  }
  const Json& step = found.at("step");
  std::cout << "a step of " << step.at("samples").get<std::int64_t>() << " samples of " << step.at("dataset").get<std::string>() << " (" << worker::dimsText(step.at("input")) << " "
            << step.at("input_type").get<std::string>() << ", " << step.at("classes").get<int>() << (step.at("target_type") == "int64" ? " classes" : " numbers") << "): loss "
            << (step.at("loss").is_number() ? significant(step.at("loss").get<double>(), 6) : "no number") << ", " << significant(step.at("step_s").get<double>() * 1000) << " ms on one thread"
            << (found.contains("command") ? "" : ", LibTorch " + found.at("torch").get<std::string>()) << '\n';
}

void check(const ModelArguments& arguments) {
  const std::string hash = worker::contentOf(arguments.file);
  const std::string path = std::filesystem::absolute(arguments.file).string();
  std::vector<std::string> words = {"model", "check", path};
  std::string document;
  if (!arguments.data.empty() || !arguments.dataset.empty()) {
    ModelArguments named = arguments;
    named.file = path;
    document = documentFor(named), words.emplace_back("-");
  }
  if (const std::string command = commandOf(arguments); !command.empty() && document.empty()) throw Error(Errc::kUsage, "a model in Python is made for data: name them with --data FILE or --dataset ID");
  Interrupt interrupt;
  const Json found = worker::workerDocument(words, worker::kTryingSeconds, interrupt.token(), document);
  if (arguments.json) std::cout << dumped(found, 2) << '\n';
  else printModel(found);
  if (!arguments.json && !worker::isTrusted(hash, commandOf(arguments))) std::cout << "runs refuse it until it is confirmed: " << trustLine(arguments) << '\n';
}

void trust(const ModelArguments& arguments) {
  const std::string hash = worker::contentOf(arguments.file), path = std::filesystem::absolute(arguments.file).string();
  const std::string command = commandOf(arguments);
  worker::trust(hash, path, command);
  std::cout << "confirmed: documents of this user may run " << command << (command.empty() ? "" : " ") << path << " (SHA-256 " << hash << ")\n";
}

std::string noteOf(const std::string& named, const RunSpec& spec, const std::string& at) {
  const std::string name = quotable(pinnedFile(named).path, 200);
  try {
    Interrupt interrupt;
    const worker::TriedModel found = worker::triedModel(named, spec, interrupt.token());
    return strCat(at, ": ", name, " has ", found.parameters, " parameters; a step takes ", found.samples, " samples of ", found.input);
  } catch (const Error& error) {
    return strCat(at, ": ", name, " could not be tried here: ", error.what());
  }
}

}  // namespace

std::vector<std::string> modelNotes(const Experiment& experiment, const Catalog& catalog) {
  std::map<std::string, std::string> notes;  // by file
  for (const ExperimentPoint& point : experiment.points) {
    const ModelEntry* entry = findEntry(catalog.models, point.spec.model.id);
    for (const ParamSpec& param : entry ? entry->params : std::vector<ParamSpec>())
      if (const auto* named = valueOf<std::string>(point.spec.model.params, param.name); param.code && named && !notes.contains(*named))
        notes[*named] = noteOf(*named, point.spec, strCat("/model/params/", param.name));
  }
  std::vector<std::string> lines;
  for (const auto& [file, note] : notes) lines.push_back(note);
  return lines;
}

void addModelCommand(CLI::App& app, Shared&) {
  auto arguments = std::make_shared<ModelArguments>();
  CLI::App* model = app.add_subcommand("model", "Model files of your own (TorchScript, Python).");
  model->require_subcommand(1);
  CLI::App* checking = model->add_subcommand("check", "Loads a file in a process with limits, says what it is made of, and runs a step where data is named. It runs what is in the file.");
  checking->add_option("file", arguments->file, "a file of torch.jit.script(model).save(...), or a Python file that serves paceline_objective")->required()->type_name("FILE");
  checking->add_option("--data", arguments->data, "arrays to run a step on: .npz, .npy, .safetensors, .csv")->type_name("PATH");
  checking->add_option("--dataset", arguments->dataset, "a data set to run a step on, by its id")->type_name("ID");
  checking->add_option("--command", arguments->command, "what starts a Python file (python3)")->type_name("COMMAND");
  checking->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  checking->callback([arguments] { check(*arguments); });
  CLI::App* trusting = model->add_subcommand("trust", "Confirms that documents may run this file with exactly this content.");
  trusting->add_option("file", arguments->file, "the file")->required()->type_name("FILE");
  trusting->add_option("--command", arguments->command, "what starts a Python file (python3); it is confirmed with it")->type_name("COMMAND");
  trusting->callback([arguments] { trust(*arguments); });
}

}  // namespace paceline::cli
