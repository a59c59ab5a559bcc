// The tables of `heddle list`. A row is listed when it contains `pattern`; an empty pattern lists
// all rows.
#pragma once

#include <string>
#include <vector>

namespace heddle::report {

std::string schedulers_text(const std::string& pattern,
                            const std::vector<std::string>& plugins = {});
std::string cta_schedulers_text(const std::string& pattern,
                                const std::vector<std::string>& plugins = {});
std::string share_policies_text(const std::string& pattern,
                                const std::vector<std::string>& plugins);
std::string replacement_policies_text(const std::string& pattern);
std::string dram_schedulers_text(const std::string& pattern);
std::string gpus_text(const std::string& pattern);
// With a paper: its programs, and why each is there instead of sizes.
std::string workloads_text(const std::string& pattern, const std::string& paper = {});
std::string forms_text(const std::string& pattern);  // of PTX instructions
std::string stats_text(const std::string& pattern, const std::vector<std::string>& plugins = {});
std::string parameters_text(const std::string& gpu, const std::string& pattern);

}  // namespace heddle::report
