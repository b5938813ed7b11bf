#include "core/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace sunder {
namespace {

// Flush-to-zero and denormals-are-zero for the current thread, until the end of the scope.
class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040u); }
  ~FlushDenormals() { _mm_setcsr(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned before_;
#endif
};

}  // namespace

int hardware_threads() {
  const unsigned n = std::thread::hardware_concurrency();
  return n == 0 ? 1 : static_cast<int>(n);
}

namespace {

// One bit for each place in the running arena whose thread has worked on a chunk; places beyond the last share a bit.
std::atomic<std::uint64_t> places_seen{0};

void note_this_thread() {
  const std::uint64_t bit = std::uint64_t{1} << std::min(tbb::this_task_arena::current_thread_index(), 63);
  if ((places_seen.load(std::memory_order_relaxed) & bit) == 0) places_seen.fetch_or(bit, std::memory_order_relaxed);
}

}  // namespace

struct Threads::Impl {
  explicit Impl(int count)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)), arena(count) {}
  tbb::global_control limit;
  tbb::task_arena arena;
  std::uint64_t places = 0;
};

int Threads::taken_part() const { return std::popcount(impl_->places); }

Threads::Threads(int count) : impl_(std::make_unique<Impl>(count < 1 ? 1 : count)) {}
Threads::~Threads() = default;

void Threads::run(const std::function<void()>& work) {
  places_seen = 0;
  impl_->arena.execute([&] {
    const FlushDenormals flush;
    note_this_thread();
    work();
  });
  impl_->places |= places_seen;
}

void parallel_chunks(std::size_t count, std::size_t chunk, Borrowed<void(std::size_t, std::size_t)> body) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  const auto run_chunk = [&](std::size_t c) { body(c * chunk, c * chunk + chunk < count ? c * chunk + chunk : count); };
  if (chunks <= 1) {
    if (chunks == 1) run_chunk(0);
    return;
  }
#if defined(__SSE2__)
  const unsigned mode = _mm_getcsr();
#endif
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunks), [&](const tbb::blocked_range<std::size_t>& range) {
#if defined(__SSE2__)
    if (_mm_getcsr() != mode) _mm_setcsr(mode);  // workers take over the caller's treatment of denormals
#endif
    note_this_thread();
    for (std::size_t c = range.begin(); c != range.end(); ++c) run_chunk(c);
  });
}

double parallel_sum(std::size_t count, std::size_t chunk, Borrowed<double(std::size_t, std::size_t)> part) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  std::array<double, 512> few;  // sums over all but the largest bodies do without the heap
  std::vector<double> many(chunks > few.size() ? chunks : 0);
  double* parts = many.empty() ? few.data() : many.data();
  parallel_chunks(count, chunk, [&](std::size_t begin, std::size_t end) { parts[begin / chunk] = part(begin, end); });
  double sum = 0;
  for (std::size_t c = 0; c < chunks; ++c) sum += parts[c];
  return sum;
}

}  // namespace sunder
