// Compares the machines of the papers with the simulators that the papers used: lfws with GPGPU-Sim
// 3.2.2, daws with the simulator of the CCWS authors (GPGPU-Sim 3.1 with their schedulers).
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

struct PaperChoice {
  std::string machine;  // one of paper_machines()
  bool small = false;   // only rows of at most 20000 cycles
  bool markdown = false;
  std::vector<std::string> settings;  // KEY=VALUE, for every run
  std::vector<std::string> names;     // of rows; empty: all
};

const std::vector<std::string>& paper_machines();
std::vector<std::string> names_of_rows(const std::string& machine);

// Runs the rows and prints them. Returns 1 when
// - a run executes other instructions;
// - the cycles of a run are more than 10 % off, or the mean of all runs more than 3 %;
// - two schedulers that differ by more than 3 % in the reference are in the other order.
// bench/reference/known_paper_differences.csv lists the exceptions with their causes.
int report_paper_machine(const PaperChoice& choice);

}  // namespace heddle::bench
