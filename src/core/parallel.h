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

  // How many threads have taken part so far (one run() at a time in the program, or they are counted together).
  int taken_part() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A borrowed callable: like std::function, but it never allocates; it must not outlive what it was made of.
template <class Signature>
class Borrowed;
template <class Result, class... Args>
class Borrowed<Result(Args...)> {
 public:
  template <class F>
  Borrowed(const F& f)  // NOLINT: made in passing, as an argument
      : object_(&f),
        call_([](const void* object, Args... args) -> Result { return (*static_cast<const F*>(object))(args...); }) {}
  Result operator()(Args... args) const { return call_(object_, args...); }

 private:
  const void* object_;
  Result (*call_)(const void*, Args...);
};

// body(begin, end) over [0, count) in chunks of `chunk`.
void parallel_chunks(std::size_t count, std::size_t chunk, Borrowed<void(std::size_t, std::size_t)> body);

// Sum of part(begin, end) over the chunks, added in order.
double parallel_sum(std::size_t count, std::size_t chunk, Borrowed<double(std::size_t, std::size_t)> part);

// body(i) for every i in [0, count): for loops whose iterations touch only their own data.
template <class Body>
void parallel_for(std::size_t count, Body&& body) {
  constexpr std::size_t kChunk = 4096;  // some ten microseconds of light work: less is not worth a task
  parallel_chunks(count, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace sunder
