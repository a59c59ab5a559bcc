// The tables of `heddle list`. pattern: only rows that hold it; empty: all.
#pragma once

#include <string>
#include <vector>

namespace heddle::lab {

std::string schedulers_text(const std::string& pattern,
                            const std::vector<std::string>& plugins = {});
std::string gpus_text(const std::string& pattern);
std::string workloads_text(const std::string& pattern);
std::string stats_text(const std::string& pattern);
std::string parameters_text(const std::string& gpu, const std::string& pattern);

}  // namespace heddle::lab
