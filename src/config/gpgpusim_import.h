// A GPU from a configuration of GPGPU-Sim 4.x (gpgpusim.config).
#pragma once

#include <string>
#include <vector>

namespace heddle::config {

struct ImportedGpu {
  std::string toml;  // a GPU file: a base, and every value that differs from it
  // Options without a counterpart whose value is not the option's default, and what was taken from
  // the base, one sentence each.
  std::vector<std::string> remarks;
};

// Reads the configuration, and the network's file (-inter_config_file) from the same folder. An
// option that the file does not give has GPGPU-Sim's default. Options of statistics, power, PTX
// parsing and the visualizer are ignored. Throws UserError with the line of a value that Heddle
// cannot represent.
ImportedGpu import_gpgpu_sim(const std::string& path);

}  // namespace heddle::config
