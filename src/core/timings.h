#pragma once
// Seconds spent in each named phase of a run, for run.json.

#include <chrono>
#include <map>
#include <string>

namespace sunder {

class Timings {
 public:
  // Adds the life time of the scope to a phase.
  class Scope {
   public:
    Scope(Timings& timings, const char* phase) : timings_(timings), phase_(phase) {}
    ~Scope() { timings_.add(phase_, std::chrono::steady_clock::now() - start_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Timings& timings_;
    const char* phase_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  Scope measure(const char* phase) { return {*this, phase}; }
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  void add(const char* phase, std::chrono::steady_clock::duration time) {
    seconds_[phase] += std::chrono::duration<double>(time).count();
  }
  std::map<std::string, double> seconds_;
};

}  // namespace sunder
