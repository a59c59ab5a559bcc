// The results of a device as JSON: {"totals": {...}, "kernels": [...]}. Every kernel holds its
// launch, its headline figures and all statistics of the tables (heddle list stats); totals hold
// the same figures of all launches together (result_sum.h).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gpu/device.h"
#include "gpu/launch_totals.h"

namespace heddle::stats {
class JsonText;
}

namespace heddle::gpu {

nlohmann::ordered_json results_json(const Device& device);
std::string results_text(const Device& device);  // the same, printed
// Its parts: "totals" of launches that have ended, and an element of "kernels".
nlohmann::ordered_json totals_json(const Device& device, const LaunchTotals& launches);
nlohmann::ordered_json kernel_json(const KernelResult& result, const config::GpuSpec& gpu);
// The same element as text.
void put_kernel(stats::JsonText& line, const KernelResult& result, const config::GpuSpec& gpu);
// What totals need of an element of "kernels", without details and repeated cycles. Throws what
// nlohmann::json throws for another JSON.
KernelResult kernel_from_json(const nlohmann::ordered_json& json);
// The same for some launches; total: their sum, or that of more launches.
nlohmann::ordered_json results_json(const std::vector<KernelResult>& launches,
                                    const KernelResult& total, const config::GpuSpec& gpu);

}  // namespace heddle::gpu
