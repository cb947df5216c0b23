#include "app/cluster/worker/worker_answer.h"

#include <chrono>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::worker {

std::string workerAnswer(const std::string& worker, const std::vector<std::string>& arguments, double seconds, std::stop_token stop,
                         const std::string& input) {
  std::vector<std::string> command{worker};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string asked = strCat("local: ", worker, " ", arguments.front());
  hosts::LocalProcess process(command);
  process.write(input);
  process.closeInput();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string text;
  while (!process.ended()) {
    if (stop.stop_requested()) throw Error(Errc::kStopped, strCat(asked, " was stopped"));
    if (std::chrono::steady_clock::now() > deadline) throw Error(Errc::kHost, strCat(asked, " did not answer within ", seconds, " s"));
    if (const auto line = process.readLine(1)) text += *line + "\n";
  }
  const hosts::ProcessEnd end = process.wait();
  if (end.code == 0) return text;
  const std::string said = trimmedEnd(end.errors);
  const std::string own = "paceline-worker: ";  // a sentence of its own: who was asked says nothing more
  if (said.starts_with(own)) throw Error(Errc::kHost, said.substr(own.size()));
  throw Error(Errc::kHost, strCat(asked, ": ", said.empty() ? strCat("exit code ", end.code) : said));
}

}  // namespace paceline::worker
