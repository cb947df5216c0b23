#include "engine/data/loader.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "engine/core/base/error.h"
#include "engine/core/base/rng.h"

namespace paceline {

namespace {

std::shared_ptr<void> alignedMemory(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  void* memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, [](void* taken) { std::free(taken); }};
}

struct BrokenImage {
  std::uint32_t index = 0;
  std::string reason;  // names the file
};

// Images that were left out because they do not decode: each is counted once, the first 20 are named on stderr. Any thread.
class SkippedImages {
 public:
  void add(const std::vector<BrokenImage>& broken) {
    constexpr std::size_t kNamed = 20;
    if (broken.empty()) return;
    const std::lock_guard lock(mutex_);
    for (const BrokenImage& image : broken) {
      if (!indices_.insert(image.index).second || indices_.size() > kNamed + 1) continue;
      const std::string line = indices_.size() <= kNamed ? strCat("skipped ", image.reason, "\n") : "skipped more images, which are not named\n";
      std::fputs(line.c_str(), stderr);
    }
  }
  std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return indices_.size();
  }

 private:
  mutable std::mutex mutex_;  // guards indices_
  std::set<std::uint32_t> indices_;
};

std::size_t sizeOf(const Shape& shape) {  // elements
  return static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
}

// Samples of a set as floats in a buffer: what a batch is made of. Any thread.
struct Gathering {
  const datasets::Images& images;
  const images::Transform& how;
  std::uint64_t seed = 0, epoch = 0;  // of what is random in the transform
  bool channelsLast = false;
};

Rng randomOf(const Gathering& what, std::uint32_t index) {
  if (!what.how.draws()) return Rng(0);
  return Rng::stream(what.seed, "augment", what.epoch << 32 | index);
}

// `decoded` is what a picture of a file is decoded into.
void sample(const datasets::Dataset& data, const Gathering& what, const images::Transform& how, std::uint32_t index, datasets::Picture& decoded, float* out) {
  if (what.images.files == nullptr) {
    const std::uint8_t* bytes = what.images.pixels.data() + index * sizeOf(data.stored);
    return images::transform(how, data.stored, bytes, randomOf(what, index), what.channelsLast, out);
  }
  what.images.files->decode(index, decoded);
  PACELINE_CHECK(decoded.pixels.size() == sizeOf(decoded.shape), "a decoded picture of another size than its shape");
  images::transform(how, decoded.shape, decoded.pixels.data(), randomOf(what, index), what.channelsLast, out);
}

// A sample that is no image, with its target. Its last three dimensions change places where channels come last.
void rowSample(const datasets::Dataset& data, const Gathering& what, std::uint32_t index, std::byte* input, std::byte* target) {
  const datasets::Rows& rows = *what.images.rows;
  rows.target(index, target);
  if (!what.channelsLast || data.form.input.size() != 3) return rows.input(index, input);
  static thread_local std::vector<float> planes;
  const auto channels = static_cast<std::size_t>(data.form.input[0]), area = sizeOf(data.shape) / channels;
  planes.resize(channels * area);
  rows.input(index, planes.data());
  auto* const values = reinterpret_cast<float*>(input);
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = 0; i < area; ++i) values[i * channels + c] = planes[c * area + i];
}

std::size_t gatherRows(const datasets::Dataset& data, const Gathering& what, std::span<const std::uint32_t> indices, void* inputs, void* targets) {
  std::size_t count = 0;
  for (const std::uint32_t index : indices) {
    PACELINE_CHECK(index < what.images.count(), "sample index");
    rowSample(data, what, index, static_cast<std::byte*>(inputs) + count * data.inputBytes(), static_cast<std::byte*>(targets) + count * data.targetBytes());
    ++count;
  }
  return count;
}

// Returns how many samples there are. What does not decode goes into `broken` where data.skipBroken, else it is thrown: Error{kFormat, kFile}.
std::size_t gather(const datasets::Dataset& data, const Gathering& what, std::span<const std::uint32_t> indices, void* inputs, void* targets,
                   std::vector<BrokenImage>& broken) {
  if (what.images.rows) return gatherRows(data, what, indices, inputs, targets);
  auto* const pixels = static_cast<float*>(inputs);
  auto* const labels = static_cast<std::int64_t*>(targets);
  static thread_local datasets::Picture decoded;  // grows to the largest picture of its thread
  images::Transform how = what.how;
  how.output = data.shape;
  std::size_t count = 0;
  for (const std::uint32_t index : indices) {
    PACELINE_CHECK(index < what.images.count(), "sample index");
    try {
      sample(data, what, how, index, decoded, pixels + count * sizeOf(data.shape));
    } catch (const Error& error) {
      if (!data.skipBroken || (error.code() != Errc::kFormat && error.code() != Errc::kFile)) throw;
      broken.push_back({.index = index, .reason = error.what()});
      continue;
    }
    labels[count++] = what.images.labels[index];
  }
  return count;
}

std::size_t gatherAll(const datasets::Dataset& data, const Gathering& what, std::span<const std::uint32_t> indices, void* inputs, void* targets,
                      SkippedImages& skipped) {
  std::vector<BrokenImage> broken;
  const std::size_t count = gather(data, what, indices, inputs, targets, broken);
  skipped.add(broken);
  return count;
}

// One batch from its samples' numbers to its floats. Whoever fills it has it alone; everything else happens under the loader's mutex.
struct Slot {
  Slot(BatchBuffer room, std::size_t capacity) : buffer(std::move(room)) { samples.reserve(capacity); }

  BatchBuffer buffer;
  BatchStream::Place before;  // the stream's, when it gave these samples
  std::uint64_t epoch = 0;
  std::vector<std::uint32_t> samples;
  bool ready = false;
  Batch batch;
  std::vector<BrokenImage> broken;
  std::exception_ptr failure;
};

}  // namespace

BatchBuffer::BatchBuffer(const datasets::Dataset& data, std::size_t capacity, const LoaderOptions& options) {
  const auto memory = [&](std::size_t bytes) { return options.allocate ? options.allocate(bytes) : alignedMemory(bytes); };
  inputs_ = memory(std::max<std::size_t>(1, capacity * data.inputBytes()));
  targets_ = memory(std::max<std::size_t>(1, capacity * data.targetBytes()));
}

// Measured with 64 pictures of 1x28x28 on one core: making the batch takes 30 us, a thread that does it costs the step 50 us (two
// switches, and the pictures' floats in another core's cache). That is a fifth of a logistic regression's step and nothing of a convolution
// net's, which waits 0.2 % of its time for such a batch.
int usefulThreads(const datasets::Dataset& data, std::size_t batchSize, int asked) {
  const bool scaledOnly = data.train.files == nullptr && data.training.crop == images::Crop::kNone && !data.training.flip && data.shape == data.stored;
  return scaledOnly && batchSize * sizeOf(data.shape) < kFewFloats ? 0 : asked;
}

struct BatchLoader::Inner {
  Inner(std::shared_ptr<const datasets::Dataset> set, BatchStream samples, LoaderOptions how)
      : data(std::move(set)), options(std::move(how)), stream(std::move(samples)) {
    PACELINE_CHECK(options.threads >= 0, "loader threads");
    const BatchPlan& plan = stream.plan();
    const std::size_t capacity = plan.mayGrow ? plan.batchSize : std::min(plan.batchSize, stream.epochSize());
    for (int i = 0; i <= options.threads; ++i) slots.emplace_back(BatchBuffer(*data, capacity, options), capacity);
  }

  ~Inner() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    room.notify_all();
    threads.clear();  // joins
  }

  std::size_t epochSize() {
    const std::lock_guard lock(mutex);
    return stream.epochSize();
  }
  Slot& slotOf(std::size_t number) { return slots[number % slots.size()]; }
  bool mayDraw() const { return !pausing && drawn < head + slots.size(); }

  // Under the mutex: the next batch's samples, into its slot.
  Slot& draw() {
    Slot& slot = slotOf(drawn++);
    slot.before = stream.place();
    const std::span<const std::uint32_t> samples = stream.next();
    slot.samples.assign(samples.begin(), samples.end());
    const BatchStream::Place after = stream.place();
    slot.epoch = after.epoch;
    slot.ready = false;
    slot.failure = nullptr;
    slot.broken.clear();
    slot.batch = slot.buffer.first(0);
    const BatchPlan& plan = stream.plan();
    const std::uint64_t first = after.cursor - samples.size();
    slot.batch.seed = Rng::stream(Rng::stream(plan.seed, "step", static_cast<std::uint64_t>(plan.rank)).next(), "batch", after.epoch << 32 | first).next();
    return slot;
  }

  void fill(Slot& slot) const noexcept {
    try {
      const Gathering what{.images = data->train,
                           .how = data->training,
                           .seed = stream.plan().seed,
                           .epoch = slot.epoch,
                           .channelsLast = options.channelsLast};
      slot.batch.count = gather(*data, what, slot.samples, slot.buffer.inputs(), slot.buffer.targets(), slot.broken);
    } catch (...) {
      slot.failure = std::current_exception();
    }
  }

  void prepareBatches() {
    std::unique_lock lock(mutex);
    for (;;) {
      room.wait(lock, [this] { return stopping || mayDraw(); });
      if (stopping) return;
      Slot& slot = draw();
      ++filling;
      lock.unlock();
      fill(slot);
      lock.lock();
      slot.ready = true;
      --filling;
      made.notify_all();
    }
  }

  Slot& ready() {
    if (options.threads == 0) {
      if (drawn > head) return slotOf(head);
      Slot& slot = draw();
      fill(slot);
      slot.ready = true;
      return slot;
    }
    while (threads.size() < static_cast<std::size_t>(options.threads)) threads.emplace_back([this] { prepareBatches(); });
    std::unique_lock lock(mutex);
    made.wait(lock, [this] { return drawn > head && slotOf(head).ready; });
    return slotOf(head);
  }

  void pop() {
    {
      const std::lock_guard lock(mutex);
      PACELINE_CHECK(drawn > head && slotOf(head).ready, "pop() before front()");
      ++head;
    }
    room.notify_one();
  }

  BatchStream::Place place() {
    const std::lock_guard lock(mutex);
    return drawn > head ? slotOf(head).before : stream.place();
  }

  // What has been prepared is thrown away.
  void change(const std::function<void()>& work) {
    {
      std::unique_lock lock(mutex);
      pausing = true;
      made.wait(lock, [this] { return filling == 0; });
      drawn = head;
      work();
      pausing = false;
    }
    room.notify_all();
  }

  // Fewer samples are left of the batch than it needs.
  bool tooSmall(const Slot& slot) const {
    return slot.batch.count < slot.samples.size() && slot.batch.count < std::max<std::size_t>(1, stream.plan().minimum);
  }

  std::shared_ptr<const datasets::Dataset> data;
  LoaderOptions options;
  SkippedImages skipped;

  std::mutex mutex;  // guards what follows, but for a slot that is being filled
  std::condition_variable room, made;
  BatchStream stream;
  std::vector<Slot> slots;
  std::size_t head = 0, drawn = 0;  // batch number b lies in slots[b % slots.size()]; those from head to drawn are being made or ready
  int filling = 0;
  bool pausing = false, stopping = false;
  std::vector<std::jthread> threads;
};

BatchLoader::BatchLoader(std::shared_ptr<const datasets::Dataset> data, BatchStream stream, LoaderOptions options)
    : inner_(std::make_unique<Inner>(std::move(data), std::move(stream), std::move(options))) {}

BatchLoader::~BatchLoader() = default;

const Batch& BatchLoader::front() {
  Inner& in = *inner_;
  for (std::size_t without = 0;;) {  // samples in a row that gave no batch
    const Slot& slot = in.ready();
    if (slot.failure) std::rethrow_exception(slot.failure);
    in.skipped.add(slot.broken);
    if (!in.tooSmall(slot)) return slot.batch;
    without += slot.samples.size();
    const std::string reason = slot.broken.back().reason;
    in.pop();
    if (without < 2 * in.epochSize()) continue;  // twice: wherever it began, a whole epoch is among them
    throw Error(Errc::kData, strCat("an epoch of ", in.epochSize(), " images has no batch of ",
                                    std::max<std::size_t>(1, in.stream.plan().minimum), " or more that decode; the last: ", reason));
  }
}

void BatchLoader::pop() { inner_->pop(); }

void BatchLoader::state(Archive& archive) {
  BatchStream::Place place = inner_->place();
  inner_->stream.archived(archive, place);
  if (archive.loading()) inner_->change([&] { inner_->stream.goTo(place); });
}

std::uint64_t BatchLoader::nextEpoch() const {
  const BatchStream::Place place = inner_->place();
  return place.epoch + (place.cursor > 0 ? 1 : 0);
}

void BatchLoader::share(std::uint64_t epoch, std::vector<std::uint32_t> indices) {
  const BatchStream::Place place = inner_->place();
  inner_->change([&] {
    inner_->stream.share(epoch, std::move(indices));
    inner_->stream.goTo(place);
  });
}

std::uint64_t BatchLoader::skipped() const { return inner_->skipped.count(); }

std::size_t trainBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, std::uint64_t seed, std::uint64_t epoch, bool channelsLast,
                       void* inputs, void* targets) {
  static SkippedImages skipped;
  const Gathering what{.images = data.train, .how = data.training, .seed = seed, .epoch = epoch, .channelsLast = channelsLast};
  return gatherAll(data, what, indices, inputs, targets, skipped);
}

std::size_t validationBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, bool channelsLast, void* inputs, void* targets) {
  static SkippedImages skipped;
  return gatherAll(data, {.images = data.train, .how = data.testing, .channelsLast = channelsLast}, indices, inputs, targets, skipped);
}

std::size_t testBatch(const datasets::Dataset& data, std::span<const std::uint32_t> indices, bool channelsLast, void* inputs, void* targets) {
  static SkippedImages skipped;
  return gatherAll(data, {.images = data.test, .how = data.testing, .channelsLast = channelsLast}, indices, inputs, targets, skipped);
}

}  // namespace paceline
