#include "engine/runtime/compute_threads.h"

#include <algorithm>
#include <stop_token>
#include <system_error>
#include <utility>

#include "engine/core/base/error.h"

namespace paceline {

class ComputeThreads::Begun final : public Task {
 public:
  Begun(ComputeThreads& all, std::function<void()> work) : all_(all), job_{.work = std::move(work)} {
    {
      const std::lock_guard lock(all_.mutex_);
      all_.waiting_.push_back(&job_);
    }
    all_.more_.notify_one();
  }
  ~Begun() override { all_.drop(job_); }
  Begun(const Begun&) = delete;
  Begun& operator=(const Begun&) = delete;
  void finish() override { all_.finish(job_); }

 private:
  ComputeThreads& all_;
  Job job_;
};

ComputeThreads::ComputeThreads(int threads, const std::function<void()>& onThread) {
  PACELINE_CHECK(threads > 0, "threads of a simulation");
  const auto live = [this, onThread](const std::stop_token& stop) {
    if (onThread) onThread();
    std::unique_lock lock(mutex_);
    while (more_.wait(lock, stop, [this] { return !waiting_.empty(); }) && !stop.stop_requested()) compute(lock, *waiting_.front());
  };
  try {
    for (int i = 1; i < threads; ++i) threads_.emplace_back(live);
  } catch (const std::system_error& error) {
    throw Error(Errc::kHost, strCat("cannot start a thread: ", error.what()));
  }
}

ComputeThreads::~ComputeThreads() = default;  // the threads, which the rest outlives, first

std::unique_ptr<Cores::Task> ComputeThreads::begin(std::function<void()> work) { return std::make_unique<Begun>(*this, std::move(work)); }

void ComputeThreads::compute(std::unique_lock<std::mutex>& lock, Job& job) {
  waiting_.erase(std::ranges::find(waiting_, &job));
  job.state = State::kRunning;
  lock.unlock();
  std::exception_ptr failure;
  try {
    job.work();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  job.failure = std::move(failure);
  job.state = State::kDone;
  done_.notify_all();
}

void ComputeThreads::finish(Job& job) {
  std::unique_lock lock(mutex_);
  while (job.state != State::kDone) {
    if (job.state == State::kWaiting) compute(lock, job);
    else if (!waiting_.empty()) compute(lock, *waiting_.front());
    else done_.wait(lock);
  }
  if (job.failure) std::rethrow_exception(std::exchange(job.failure, nullptr));
}

void ComputeThreads::drop(Job& job) {
  std::unique_lock lock(mutex_);
  if (job.state == State::kWaiting) waiting_.erase(std::ranges::find(waiting_, &job));
  else done_.wait(lock, [&job] { return job.state == State::kDone; });
}

}  // namespace paceline
