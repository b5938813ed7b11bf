#pragma once
// For tests: the program run as a process in a folder of its own, judged by what it prints, leaves and returns.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/files.h"

namespace sunder::cli {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Five frames of a block that falls on the ground, in a few hundred cheap steps.
inline constexpr const char* kTiny = R"(name = "tiny"
duration = 0.17
[[body]]
name = "block"
shape = { kind = "box", size = [0.2, 0.1, 0.1] }
edge = 0.1
position = [0, 0.06, 0]
material = { preset = "jelly", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }
[[collider]]
shape = { kind = "ground" }
)";

struct Outcome {
  int code = -1;  // as a shell reports it
  std::string out, err;
  double seconds = 0;    // of wall time
  double megabytes = 0;  // of memory, at most
};

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() : top_(fs::temp_directory_path() / ("sunder_program_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
    write("tiny.toml", kTiny);
  }
  ~ProgramTest() override { fs::remove_all(top_); }

  void write(const std::string& file, const std::string& text) const { write_file_atomically(top_ / file, text); }
  std::string read(const std::string& file) const { return read_file(top_ / file); }

  // Starts a program in the test's folder, with settings ("NAME=value") added to its environment. Its output goes to
  // files: no pipe can fill up.
  pid_t start(const std::vector<std::string>& command, const std::vector<std::string>& environment = {}) const {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const std::string out = (top_ / "stdout.txt").string(), err = (top_ / "stderr.txt").string();
    const std::string path = fs::path(SUNDER_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
    started_ = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child != 0) return child;
    for (const std::string& one : environment) ::putenv(const_cast<char*>(one.c_str()));
    ::setenv("PATH", path.c_str(), 1);
    const bool ready = ::chdir(top_.c_str()) == 0 && ::dup2(::open("/dev/null", O_RDONLY), 0) == 0 &&
                       ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1) == 1 &&
                       ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2) == 2;
    if (ready) ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  Outcome finish(pid_t child) const {
    int status = 0;
    rusage used{};
    EXPECT_EQ(::wait4(child, &status, 0, &used), child);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started_;
    return {code, read("stdout.txt"), read("stderr.txt"), taken.count(), static_cast<double>(used.ru_maxrss) / 1024};
  }
  // Waits until the program has written the file, or has ended.
  static void wait_for(pid_t child, const fs::path& file) {
    siginfo_t ended{};
    while (!fs::exists(file) && ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  Outcome sunder(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SUNDER_PROGRAM);
    return finish(start(arguments));
  }
  Outcome shell(const std::string& line) const { return finish(start({"/bin/sh", "-c", line})); }

  // The command must fail with this code, say why on stderr in one message of ours, and print nothing else.
  void expect_failure(const std::vector<std::string>& arguments, int code,
                      const std::vector<std::string>& words = {}) const {
    const Outcome o = sunder(arguments);
    const std::string line = fmt::format("sunder {}\n{}{}", fmt::join(arguments, " "), o.out, o.err);
    EXPECT_EQ(o.code, code) << line;
    EXPECT_EQ(o.out, "") << line;
    EXPECT_NE(("\n" + o.err).find("\nsunder: "), std::string::npos) << line;
    for (const std::string& word : words) EXPECT_NE(o.err.find(word), std::string::npos) << word << " in:\n" << line;
  }

  Json json_of(const std::vector<std::string>& arguments) const {
    const Outcome o = sunder(arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    Json parsed = Json::parse(o.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << o.out;
    return parsed;
  }

  std::vector<std::string> hashes(const std::string& folder) const {
    std::istringstream in(read(folder + "/stats.csv"));
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) {
      const std::size_t end = line.rfind(','), begin = line.rfind(',', end - 1) + 1;
      result.push_back(line.substr(begin, end - begin));
    }
    return result;
  }

  fs::path top_;

 private:
  mutable std::chrono::steady_clock::time_point started_;  // of the last program
};

}  // namespace sunder::cli
