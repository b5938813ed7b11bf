#pragma once
// Threads, behind one header. Work is cut into chunks by the size of the data, never by the number of threads, and
// partial sums are added in chunk order: the same bits for any number of threads.

#include <cstddef>
#include <functional>
#include <memory>

namespace sunder {

int hardware_threads();

// Runs work with a given number of threads. Denormal numbers are flushed to zero in all of them (they slow the
// fracture check down by up to 2x, and a calm body is full of them).
class Threads {
 public:
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run(const std::function<void()>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// body(begin, end) over [0, count) in chunks of `chunk`.
void parallel_chunks(std::size_t count, std::size_t chunk, const std::function<void(std::size_t, std::size_t)>& body);

// Sum of part(begin, end) over the chunks, added in order.
double parallel_sum(std::size_t count, std::size_t chunk, const std::function<double(std::size_t, std::size_t)>& part);

// body(i) for every i in [0, count): for loops whose iterations touch only their own data.
template <class Body>
void parallel_for(std::size_t count, Body&& body) {
  constexpr std::size_t kChunk = 4096;  // some ten microseconds of light work: less is not worth a task
  parallel_chunks(count, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace sunder
