#include "apps/cli/commands.h"

int main(int argc, char** argv) { return sunder::cli::main_program(argc, argv); }
