#pragma once
// `sunder export` of a run of solids.

#include "apps/cli/commands.h"
#include "sim/recorded_run.h"

namespace sunder::cli {

// UsageError if an option is given that does nothing in the file's format.
struct OptionsOf {
  const std::string& output;
  void operator()(bool given, const char* option, bool good, const char* endings) const;
};

ExitCode export_solids(const RecordedRun& run, const ExportCommandOptions& options);

}  // namespace sunder::cli
