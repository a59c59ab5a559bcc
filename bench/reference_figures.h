// Tables of bench/reference/.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::bench {

// By column name. A figure that was not measured is empty or absent.
using Row = std::map<std::string, std::string>;

// Throw std::runtime_error when the file is missing.
// gpgpusim.csv: the figures of GPGPU-Sim.
std::vector<Row> reference_figures();
// known_differences.csv: counts with a wider limit of their own.
std::vector<Row> known_differences();
// MACHINE.csv: the figures of the simulator that a paper used; lfws or daws.
std::vector<Row> paper_figures(const std::string& machine);
// known_paper_differences.csv: their counts with a wider limit, and orders of schedulers.
std::vector<Row> known_paper_differences();
// `--registers KERNEL=N` for each kernel of a reference program, with the registers per thread that
// the other simulator was given. `architecture` is that of the PTX: sm20 (the machines of papers)
// or sm75.
std::vector<std::string> register_options(const std::string& architecture,
                                          const std::string& program);

}  // namespace heddle::bench
