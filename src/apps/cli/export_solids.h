#pragma once
// `sunder export` of a run of solids.

#include "apps/cli/commands.h"
#include "sim/recorded_run.h"

namespace sunder::cli {

ExitCode export_solids(const RecordedRun& run, const ExportCommandOptions& options);

}  // namespace sunder::cli
