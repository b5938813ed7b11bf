// make bench: prints the table and writes it to the file given as argument.
//   sunder_bench [FILE.md]           the whole benchmark
//   sunder_bench --meshing FILE.md   the meshing of models alone; its section of the page is written anew
//   sunder_bench --steps N TETS      N steps of one body on one thread, for callgrind

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "bench/bodies.h"
#include "bench/bullet_step.h"
#include "bench/machine_limits.h"
#include "bench/meshing_times.h"
#include "bench/report.h"
#include "bench/rounds.h"
#include "bench/scalar_step.h"
#include "core/files.h"
#include "core/parallel.h"
#include "meshing/renumber.h"

namespace sunder::bench {
namespace {

constexpr double kDt = 1e-6;  // s; small enough for every size
constexpr int kRounds = 9;

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "an unknown machine";
}

// Steps a body for about the same time whatever its size.
// TBB obeys the smallest limit that is alive, so each call makes its own threads.
Contender contender(const std::string& name, std::size_t tets, const std::function<void()>& step, int threads) {
  const int steps = std::max(1, static_cast<int>(8000000 / tets));
  return {name, static_cast<double>(tets) * steps,
          [=] {
            Threads(threads).run([&] {
              for (int i = 0; i < steps; ++i) step();
            });
          },
          0.15};
}

double instructions_per_tet_step(const char* program) {
  if (std::system("command -v valgrind >/dev/null 2>&1") != 0) return 0;
  const auto instructions = [&](int steps) {
    const std::string command =
        fmt::format("SUNDER_SIMD=avx2 valgrind --tool=callgrind --callgrind-out-file=/dev/null {} --steps {} 8000 2>&1",
                    program, steps);
    double found = 0;
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
      char line[512];
      while (std::fgets(line, sizeof line, pipe) != nullptr) {
        if (const char* at = std::strstr(line, "Collected : ")) found = std::strtod(at + 12, nullptr);
      }
      pclose(pipe);
    }
    return found;
  };
  const double few = instructions(10), many = instructions(60);
  const double tets = static_cast<double>(bench_soup(8000, false).tets.size());
  return many > few ? (many - few) / 50 / tets : 0;
}

void run_steps(int steps, double tets) {
  tet_oh99::TetSolver solver(bench_setup(renumbered(bench_soup(tets, false)), {}));
  Threads one(1);
  one.run([&] {
    for (int i = 0; i < steps; ++i) solver.step(kDt);
  });
}

Report measure(const char* program) {
  Report report;
  report.machine = machine_name();
  report.threads = hardware_threads();
  report.instructions_per_tet_step = instructions_per_tet_step(program);
  const BenchMaterial m;

  std::vector<std::unique_ptr<tet_oh99::TetSolver>> ours;
  std::vector<std::unique_ptr<ScalarStep>> scalars;
  std::vector<std::unique_ptr<BulletStep>> bullets;
  std::vector<Contender> contenders;
  const auto add = [&](const std::string& what, std::size_t tets, const char* order, int threads,
                       const std::function<void()>& step) {
    contenders.push_back(contender(what, tets, step, threads));
    report.rows.push_back({what, tets, order, threads, {}});
  };
  for (const double size : {1e3, 8e3, 1e5, 1e6, 4e6}) {
    for (const bool shuffled : {false, true}) {
      if (shuffled && (size < 5e3 || size > 2e6)) continue;
      std::fprintf(stderr, "meshing %.0f tets%s\n", size, shuffled ? ", shuffled" : "");
      const TetSoup soup = bench_soup(size, shuffled);
      const std::size_t tets = soup.tets.size();
      const char* order = shuffled ? "shuffled" : "natural";
      ours.push_back(std::make_unique<tet_oh99::TetSolver>(bench_setup(renumbered(soup), m)));
      tet_oh99::TetSolver* solver = ours.back().get();
      if (size == 1e5) report.hot_bytes_per_tet = solver->hot_bytes_per_tet();
      add("sunder", tets, order, 1, [solver] { solver->step(kDt); });
      if (report.threads > 1) add("sunder", tets, order, report.threads, [solver] { solver->step(kDt); });
      if (size > 5e5 || shuffled) continue;
      scalars.push_back(std::make_unique<ScalarStep>(renumbered(soup), m.lambda, m.mu, m.phi, m.psi, m.density));
      ScalarStep* scalar = scalars.back().get();
      add("plain Eigen", tets, order, 1, [scalar] { scalar->step(kDt); });
      if (size < 5e3) continue;
      bullets.push_back(std::make_unique<BulletStep>(renumbered(soup), m.lambda, m.mu, m.density));
      BulletStep* bullet = bullets.back().get();
      add("Bullet", tets, order, 1, [bullet] { bullet->step(kDt); });
    }
  }
  std::fprintf(stderr, "%d rounds\n", kRounds);
  std::vector<double> triads;
  const RoundsResult result = run_rounds(contenders, kRounds, [&] {
    triads.push_back(triad_bandwidth());
    return multiply_add_peak(0.1);
  });
  for (std::size_t i = 0; i < contenders.size(); ++i) report.rows[i].rates = result.rates[i];
  report.rounds = static_cast<int>(result.probe.size());
  report.dropped = result.dropped;
  report.peak = quartiles(result.probe);
  report.triad = quartiles(triads);
  return report;
}

}  // namespace
}  // namespace sunder::bench

int main(int argc, char** argv) {
  using namespace sunder::bench;
  if (argc == 4 && std::strcmp(argv[1], "--steps") == 0) {
    run_steps(std::atoi(argv[2]), std::atof(argv[3]));
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--meshing") == 0) {
    const auto rows = measure_meshing();
    std::printf("%s", meshing_section(rows).c_str());
    sunder::write_file_atomically(argv[2], with_meshing_section(sunder::read_file(argv[2]), rows));
    return 0;
  }
  const std::string page = with_meshing_section(markdown(measure(argv[0])), measure_meshing());
  std::printf("%s", page.c_str());
  if (argc > 1) sunder::write_file_atomically(argv[1], page);
  return 0;
}
