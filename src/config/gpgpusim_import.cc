// Options, defaults and letters are those of GPGPU-Sim 4.2 (gpu-sim.cc, gpu-cache.h, cuda-sim.cc,
// addrdec.cc, dram.cc).
#include "config/gpgpusim_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "base/diagnostics.h"
#include "config/config.h"
#include "config/gpgpusim_options.h"
#include "config/parameter.h"

namespace heddle::config {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using Given = GpgpuSimOption;

// An option whose value is that of a parameter.
struct Same {
  const char* option;
  const char* otherwise;  // GPGPU-Sim's default
  const char* key;
  const char* unit = "";  // after the number
};
constexpr Same kSame[] = {
    {"-gpgpu_n_clusters", "10", "clusters"},
    {"-gpgpu_n_cores_per_cluster", "3", "sms_per_cluster"},
    {"-gpgpu_kernel_launch_latency", "0", "kernel_launch_latency"},
    {"-gpgpu_max_concurrent_kernel", "32", "concurrent_kernels"},
    {"-gpgpu_shader_cta", "32", "sm.max_ctas"},
    {"-gpgpu_shader_registers", "8192", "sm.registers"},
    {"-gpgpu_shmem_size", "16384", "sm.shared_size"},
    {"-gpgpu_num_sched_per_core", "1", "sm.schedulers"},
    {"-gpgpu_max_insn_issue_per_warp", "2", "sm.max_issue"},
    {"-gpgpu_dual_issue_diff_exec_units", "1", "sm.dual_issue_different_units"},
    {"-gpgpu_sub_core_model", "0", "sm.sub_cores"},
    {"-gpgpu_inst_fetch_throughput", "1", "sm.fetch_throughput"},
    {"-ptx_opcode_latency_sfu", "8", "sm.sfu_latency"},
    {"-ptx_opcode_initiation_sfu", "8", "sm.sfu_interval"},
    {"-ptx_opcode_latency_tesnor", "64", "sm.tensor_latency"},
    {"-ptx_opcode_initiation_tensor", "64", "sm.tensor_interval"},
    {"-gpgpu_num_reg_banks", "8", "sm.register_banks"},
    {"-gpgpu_reg_file_port_throughput", "1", "sm.register_bank_ports"},
    {"-gpgpu_gmem_skip_L1D", "0", "sm.global_loads_skip_l1d"},
    {"-gpgpu_flush_l1_cache", "0", "sm.flush_l1d_at_kernel_end"},
    {"-gpgpu_flush_l2_cache", "0", "memory.flush_l2_at_kernel_end"},
    {"-gpgpu_perfect_inst_const_cache", "0", "sm.perfect_instruction_cache"},
    {"-gpgpu_perfect_inst_const_cache", "0", "sm.perfect_constant_cache"},
    {"-gpgpu_shmem_num_banks", "16", "sm.shared.banks"},
    {"-gpgpu_shmem_warp_parts", "2", "sm.shared.warp_parts"},
    {"-gpgpu_smem_latency", "3", "sm.shared.latency"},
    {"-gpgpu_num_sp_units", "1", "sm.units.sp"},
    {"-gpgpu_num_dp_units", "0", "sm.units.dp"},
    {"-gpgpu_num_int_units", "0", "sm.units.int"},
    {"-gpgpu_num_sfu_units", "1", "sm.units.sfu"},
    {"-gpgpu_num_mem_units", "1", "sm.units.mem"},
    {"-gpgpu_operand_collector_num_units_gen", "0", "sm.collectors.generic.units"},
    {"-gpgpu_operand_collector_num_in_ports_gen", "0", "sm.collectors.generic.in_ports"},
    {"-gpgpu_operand_collector_num_out_ports_gen", "0", "sm.collectors.generic.out_ports"},
    {"-gpgpu_l1_latency", "1", "sm.l1d.hit_latency"},
    {"-gpgpu_l1_banks", "1", "sm.l1d.banks"},
    {"-gpgpu_l1_cache_write_ratio", "0", "sm.l1d.written_share"},
    {"-gpgpu_n_cluster_ejection_buffer_size", "8", "network.ejection"},
    {"-gpgpu_n_mem", "8", "memory.channels"},
    {"-gpgpu_n_sub_partition_per_mchannel", "1", "memory.slices_per_channel"},
    {"-gpgpu_l2_rop_latency", "85", "memory.rop_latency"},
    {"-dram_latency", "30", "memory.dram_latency"},
    {"-gpgpu_memory_partition_indexing", "0", "memory.partition_hash"},
    {"-gpgpu_perf_sim_memcpy", "1", "memory.memcpy_fills_l2"},
    {"-gpgpu_dram_buswidth", "4", "memory.dram.bus"},
    {"-gpgpu_n_mem_per_ctrlr", "1", "memory.dram.chips"},
    {"-gpgpu_dram_burst_length", "4", "memory.dram.burst"},
    {"-dram_data_command_freq_ratio", "2", "memory.dram.ratio"},
    {"-dram_dual_bus_interface", "0", "memory.dram.dual_command_bus"},
    {"-dram_seperate_write_queue_enable", "0", "memory.dram.separate_writes"},
};

// Options that change time and have no counterpart, with the value at which they change nothing.
struct Without {
  const char* option;
  const char* harmless;
};
constexpr Without kWithout[] = {
    {"-gpgpu_simple_dram_model", "0"},
    {"-l2_ideal", "0"},
    {"-gpgpu_cache:dl2_texture_only", "0"},
    {"-dram_bnk_indexing_policy", "0"},
    {"-dram_elimnate_rw_turnaround", "0"},
    {"-gpgpu_l1_banks_byte_interleaving", "32"},
    {"-gpgpu_l1_banks_hashing_function", "0"},
    {"-gpgpu_perfect_mem", "0"},
    {"-gpgpu_shmem_limited_broadcast", "0"},
    {"-gpgpu_mem_unit_ports", "1"},
    {"-gpgpu_simt_core_sim_order", "1"},
    {"-gpgpu_simd_model", "1"},
    {"-gpgpu_TB_launch_latency", "0"},
    {"-gpgpu_reg_bank_use_warp_id", "0"},
    {"-gpgpu_ptx_convert_to_ptxplus", "0"},
    {"-icnt_grant_cycles", "1"},
    {"-icnt_arbiter_algo", "1"},
    {"-icnt_subnets", "2"},
    {"-gpgpu_local_mem_map", "1"},
    {"-gpgpu_concurrent_kernel_sm", "0"},
    {"-gpgpu_mem_address_mask", "1"},
};

// The beginnings of options that change no cycle.
constexpr std::string_view kUntimed =
    "-power -gpuwattch -accelwattch -hw_perf -dvfs -aggregate_power -steady -visualizer -trace "
    "-liveness -checkpoint -resume -enable_ptx -save_embedded -keep -gpgpu_ptx_ -gpgpu_runtime "
    "-gpgpu_memlatency_stat -gpgpu_stack_size -gpgpu_heap_size -gpgpu_deadlock -gpgpu_cflog "
    "-gpgpu_max_c -gpgpu_max_insn -gpgpu_clock_gated -gpgpu_occupancy -gpgpu_registers_per_block "
    "-gpgpu_shmem_per_block -gpgpu_shmem_sizeDefault -gpgpu_shmem_size_Pref -gpgpu_cache:dl1Pref "
    "-n_regfile -gpgpu_num_cta_barriers -gpgpu_cdp -cdp_latency -gpgpu_experimental "
    "-gpgpu_mem_addr_test -icnt_verbose -gpgpu_ignore_resources -gpgpu_tensor_core_avail";

class Importer {
 public:
  explicit Importer(const std::string& path)
      : path_(path), options_(options_of(path)), base_(nearest_preset()), gpu_(load_gpu(base_)) {
    for (const GpuParameter& parameter : parameters(gpu_))
      parameters_.emplace(parameter.key, parameter);
  }

  ImportedGpu import() {
    for (const Same& row : kSame) set(row.key, get(row.option, row.otherwise), row.unit);
    import_capability();
    import_sm();
    import_caches();
    import_network();
    import_memory();
    for (const Without& row : kWithout)
      if (const Given given = get(row.option, row.harmless);
          number(given.text) != number(row.harmless))
        remarks_.push_back(fmt::format("{} {} has no counterpart", row.option, given.text));
    for (const auto& [option, given] : options_)
      if (!used_.contains(option) && !changes_no_cycle(option))
        remarks_.push_back(fmt::format("{} {} is not known", option, given.text));
    for (const Contradiction& wrong : contradictions(gpu_))
      throw UserError(origin_of(wrong.keys), wrong.problem);
    remarks_.push_back(fmt::format(
        "from {}, because GPGPU-Sim has no option for it: memory_size, hardware_queues, copies, "
        "latencies of the network and of device launches, energy",
        base_));
    return {text(), remarks_};
  }

 private:
  static GpgpuSimOptions options_of(const std::string& path) {
    const char* kinds[] = {"not a configuration of GPGPU-Sim", "",
                           "a file of latencies for traces, without a GPU",
                           "the file of a network, which its gpgpusim.config names"};
    const GpgpuSimFile kind = gpgpu_sim_file(path);
    if (kind == GpgpuSimFile::options || !std::ifstream(path)) return read_gpgpu_sim_options(path);
    throw UserError({path},
                    fmt::format("this is {}; give gpgpusim.config", kinds[static_cast<int>(kind)]));
  }

  // The preset whose core and network are built as the configuration says.
  std::string nearest_preset() {
    if (number(get("-network_mode", "1").text) == 2) return "qv100";
    return number(get("-gpgpu_sub_core_model", "0").text) == 1 ? "titanx" : "gtx480";
  }

  Given get(const std::string& option, const char* otherwise) {
    used_[option] = true;
    const auto found = options_.find(option);
    return found == options_.end() ? Given{otherwise, {path_}} : found->second;
  }

  static double number(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() ? -1 : value;
  }

  // Where the file gives one of the parameters.
  SourceLocation origin_of(const Texts& keys) const {
    for (const std::string& key : keys)
      if (const auto found = origins_.find(key); found != origins_.end() && found->second.line > 0)
        return found->second;
    return {path_};
  }

  void set(const std::string& key, const Given& given, const std::string& unit = "") {
    const GpuParameter& parameter = parameters_.at(key);
    origins_[key] = given.where;
    std::string value = given.text + unit;
    if (std::holds_alternative<bool*>(parameter.slot))
      value = number(value) != 0 ? "true" : "false";
    if (const std::string problem = parameter.assign(value); !problem.empty())
      throw UserError(given.where, fmt::format("{} = {}: {}", key, value, problem));
  }
  void set(const std::string& key, const std::string& text, const SourceLocation& where) {
    set(key, Given{text, where});
  }

  // A value of numbers that are separated by one of the characters, at least so many.
  Texts parts(const Given& given, std::string_view separators, std::size_t least) const {
    Texts all = split(given.text, separators);
    if (all.size() < least)
      throw UserError(given.where, fmt::format("'{}' has {} values, GPGPU-Sim 4.x has {}",
                                               given.text, all.size(), least));
    return all;
  }

  // Clang 19 compiles for compute capability 5.0 and above.
  void import_capability() {
    const Given major = get("-gpgpu_compute_capability_major", "7");
    const Given minor = get("-gpgpu_compute_capability_minor", "0");
    if (number(major.text) < 5) {
      remarks_.push_back(fmt::format("programs see compute capability {}.{} of {} instead of {}.{}",
                                     gpu_.compute_major, gpu_.compute_minor, base_, major.text,
                                     minor.text));
      return;
    }
    set("compute_major", major);
    set("compute_minor", minor);
  }

  void import_sm() {
    const Given pipeline = get("-gpgpu_shader_core_pipeline", "1024:32");
    set("sm.max_threads", parts(pipeline, ":", 1)[0], pipeline.where);
    const Given clocks = get("-gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0");
    const Texts mhz = parts(clocks, ":", 4);
    const char* domains[] = {"clocks.core", "clocks.icnt", "clocks.l2", "clocks.dram"};
    for (std::size_t i = 0; i < std::size(domains); ++i) set(domains[i], mhz[i], clocks.where);
    import_coalescing();
    import_scheduler();
    import_latches();
    import_latencies();
    import_collectors();
    const bool adaptive = number(get("-gpgpu_adaptive_cache_config", "0").text) == 1;
    const Given unified = get("-gpgpu_unified_l1d_size", "0"),
                sizes = get("-gpgpu_shmem_option", "0");
    set("sm.unified_size", adaptive ? unified : Given{"0", unified.where}, "KiB");
    if (!adaptive) return;
    std::string list;
    for (const std::string& size : split(sizes.text, ","))
      list += (list.empty() ? "" : ",") + size + "KiB";
    set("sm.shared_sizes", list, sizes.where);
  }

  // GPGPU-Sim asks for at least 13, 20 to 38, and at least 40.
  void import_coalescing() {
    const Given given = get("-gpgpu_coalesce_arch", "13");
    const double arch = number(given.text);
    const bool has_own = arch == 35 || arch == 61 || arch == 70 || arch == 75 || arch == 86;
    const char* first = arch >= 40 ? "61" : arch >= 20 && arch < 39 ? "20" : "13";
    set("sm.coalescing_arch", arch < 13 || has_own ? given.text : first, given.where);
  }

  void import_scheduler() {
    const Given given = get("-gpgpu_scheduler", "gto");
    const Texts words = split(given.text, ":");
    const std::map<std::string, std::string> names{
        {"lrr", "lrr"}, {"gto", "gto"}, {"old", "oldest"}, {"two_level_active", "two-level"}};
    if (const auto found = names.find(words[0]); found != names.end())
      set("default_scheduler", found->second, given.where);
    else
      remarks_.push_back(fmt::format("-gpgpu_scheduler {}: choose one by --scheduler", given.text));
  }

  void import_latches() {
    const Given widths = get("-gpgpu_pipeline_widths", "1,1,1,1,1,1,1,1,1,1,1,1,1");
    const Texts latches = parts(widths, ",", 11);
    const char* names[] = {"sp", "dp", "int", "sfu", "mem"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
      set(fmt::format("sm.issue_latches.{}", names[i]), latches[i], widths.where);
      set(fmt::format("sm.dispatch_latches.{}", names[i]), latches[i + 5], widths.where);
    }
    set("sm.writeback_latches", latches[10], widths.where);
    const bool tensor = number(get("-gpgpu_tensor_core_avail", "0").text) == 1;
    const Given units = get("-gpgpu_num_tensor_core_units", "0");
    set("sm.units.tensor", tensor ? units : Given{"0", units.where});
    const bool has_widths = tensor && latches.size() > 12;
    set("sm.issue_latches.tensor", has_widths ? latches[11] : "0", widths.where);
    set("sm.dispatch_latches.tensor", has_widths ? latches[12] : "0", widths.where);
  }

  void import_latencies() {
    const auto import_six = [&](const char* option, const char* otherwise, const char* key,
                                bool repeat) {
      const Given given = get(option, otherwise);
      Texts values = parts(given, ",", 5);
      // The sixth integer class is SHFL; a file without it had the fifth's value. That of floating
      // point is FMA, which GPGPU-Sim counts as MAD.
      if (values.size() == 5 || !repeat)
        values.resize(5), values.push_back(repeat ? values[4] : "0");
      values.resize(6);
      set(key, fmt::format("{}", fmt::join(values, ",")), given.where);
    };
    import_six("-ptx_opcode_latency_int", "1,1,19,25,145,32", "sm.int_op.latency", true);
    import_six("-ptx_opcode_initiation_int", "1,1,4,4,32,4", "sm.int_op.interval", true);
    import_six("-ptx_opcode_latency_fp", "1,1,1,1,30", "sm.fp_op.latency", false);
    import_six("-ptx_opcode_initiation_fp", "1,1,1,1,5", "sm.fp_op.interval", false);
    import_six("-ptx_opcode_latency_dp", "8,8,8,8,335", "sm.dp_op.latency", false);
    import_six("-ptx_opcode_initiation_dp", "8,8,8,8,130", "sm.dp_op.interval", false);
  }

  void import_collectors() {
    const bool own = number(get("-gpgpu_enable_specialized_operand_collector", "1").text) != 0;
    const struct {
      const char* name;
      const char* units;
    } kinds[] = {{"sp", "4"}, {"sfu", "4"}, {"mem", "2"}};
    for (const auto& [name, count] : kinds) {
      const Given units = get(option_name("units", name), count);
      set(fmt::format("sm.collectors.{}.units", name), own ? units : Given{"0", units.where});
      for (const char* ports : {"in_ports", "out_ports"})
        if (const Given given = get(option_name(ports, name), "1"); own)
          set(fmt::format("sm.collectors.{}.{}", name, ports), given);
    }
    for (const char* name : {"dp", "int", "tensor_core"})
      for (const char* what : {"units", "in_ports", "out_ports"}) {
        const Given given = get(option_name(what, name), "0");
        if (own && std::string_view(what) == "units" && number(given.text) > 0)
          remarks_.push_back(
              fmt::format("{} {} has no counterpart", option_name(what, name), given.text));
      }
  }
  static std::string option_name(std::string_view what, std::string_view unit) {
    return fmt::format("-gpgpu_operand_collector_num_{}_{}", what, unit);
  }

  void import_caches() {
    import_cache("-gpgpu_cache:dl1", "none", "sm.l1d.", false);
    import_cache("-gpgpu_cache:il1", "4:256:4,L:R:f:N,A:2:32,4", "sm.l1i.", false);
    import_cache("-gpgpu_const_cache:l1", "64:64:2,L:R:f:N,A:2:32,4", "sm.constant.", false);
    import_cache("-gpgpu_tex_cache:l1", "8:128:5,L:R:m:N,F:128:4,128:2", "sm.texture.", false);
    import_cache("-gpgpu_cache:dl2", "64:128:8,L:B:m:N,A:16:4,4", "memory.l2.", true);
  }

  // A cache: [N|S:]SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATION:WRITE_ALLOCATION[:SET_INDEX],
  // MSHR:ENTRIES:MERGES,MISS_QUEUE[:RESULT_FIFO][,DATA_PORT]. Only the L2's data port limits it.
  void import_cache(const char* option, const char* otherwise, const std::string& prefix,
                    bool has_data_port) {
    const Given given = get(option, otherwise);
    if (given.text == "none")
      throw UserError(given.where, fmt::format("{} none: Heddle has no SM without this cache; "
                                               "-gpgpu_gmem_skip_L1D 1 bypasses the L1",
                                               option));
    const Texts groups = parts(given, ",", 4);
    Texts shape = split(groups[0], ":");
    const bool sectors = shape[0] == "S";
    if (shape.size() == 4) shape.erase(shape.begin());
    const Texts policy = split(groups[1], ":"), mshr = split(groups[2], ":"),
                queue = split(groups[3], ":");
    if (shape.size() != 3 || policy.size() < 4 || mshr.size() < 3)
      throw UserError(given.where,
                      fmt::format("'{}' does not describe a cache of GPGPU-Sim 4.x", given.text));
    const double bytes = number(shape[0]) * number(shape[1]) * number(shape[2]);
    set(prefix + "size", fmt::format("{:.0f}", bytes), given.where);
    set(prefix + "line", shape[1], given.where);
    set(prefix + "ways", shape[2], given.where);
    set(prefix + "filling", sectors ? "sectors" : "lines", given.where);
    set_letter(prefix + "replacement", policy[0], {{"L", "lru"}, {"F", "fifo"}}, given);
    set_letter(prefix + "write", policy[1],
               {{"R", "read_only"},
                {"B", "write_back"},
                {"T", "write_through"},
                {"E", "write_evict"},
                {"L", "local_back_global_through"}},
               given);
    set_letter(prefix + "allocation", policy[2],
               {{"m", "on_miss"}, {"f", "on_fill"}, {"s", "streaming"}}, given);
    set_letter(
        prefix + "write_allocation", policy[3],
        {{"N", "none"}, {"W", "allocate"}, {"F", "fetch_on_write"}, {"L", "lazy_fetch_on_read"}},
        given);
    set_letter(prefix + "set_index", policy.size() > 4 ? policy[4] : "L",
               {{"L", "linear"}, {"H", "fermi_hash"}, {"X", "xor_hash"}, {"P", "ipoly"}}, given);
    // F and T are FIFOs of texture caches, whose entries are lines.
    set_letter(prefix + "mshr_keying", mshr[0],
               {{"A", "line"}, {"F", "line"}, {"T", "line"}, {"S", "sector"}}, given);
    set(prefix + "mshr_entries", mshr[1], given.where);
    set(prefix + "mshr_merges", mshr[2], given.where);
    set(prefix + "miss_queue", queue[0], given.where);
    set(prefix + "data_port", has_data_port && groups.size() > 4 ? groups[4] : "0", given.where);
  }

  void set_letter(const std::string& key, const std::string& letter,
                  const std::map<std::string, std::string>& values, const Given& given) {
    const auto found = values.find(letter);
    if (found == values.end())
      throw UserError(given.where, fmt::format("'{}' of '{}' has no counterpart in {}", letter,
                                               given.text, key));
    set(key, found->second, given.where);
  }

  void import_network() {
    const Given mode = get("-network_mode", "1"), flit = get("-icnt_flit_size", "32"),
                room = get("-icnt_in_buffer_limit", "64");
    const Given name = get("-inter_config_file", "mesh");
    get("-icnt_out_buffer_limit", "64");
    if (number(mode.text) == 2) {
      set("network.topology", "local_crossbar", mode.where);
      set("network.flit", flit);
      set("network.buffer", room);
      return;
    }
    set("network.topology", "butterfly", mode.where);
    const std::string path = (fs::path(path_).parent_path() / name.text).string();
    // The file may be a stranger's: it names no file of another folder.
    const bool beside = fs::path(name.text).filename() == fs::path(name.text);
    if (std::error_code ignored; !beside || !fs::is_regular_file(path, ignored)) {
      remarks_.push_back(
          fmt::format("'{}' cannot be read: the network is that of {}", path, base_));
      return;
    }
    import_intersim(path);
  }

  void import_intersim(const std::string& path) {
    const GpgpuSimOptions values = read_intersim_options(path);
    if (const auto found = values.find("topology");
        found != values.end() && found->second.text != "fly")
      remarks_.push_back(fmt::format("topology {} of the network has no counterpart; butterfly",
                                     found->second.text));
    if (const auto found = values.find("flit_size"); found != values.end())
      set("network.flit", found->second);
    for (const char* buffer : {"input_buffer_size", "vc_buf_size"})
      if (const auto found = values.find(buffer); found != values.end()) {
        set("network.buffer", found->second);
        break;
      }
    for (const auto& [option, key] : {std::pair{"num_vcs", "network.virtual_channels"},
                                      {"vc_alloc_delay", "network.packet_gap"},
                                      {"output_speedup", "network.output_speedup"}})
      if (const auto found = values.find(option); found != values.end()) set(key, found->second);
    if (const auto found = values.find("internal_speedup"); found != values.end()) {
      const double steps = number(found->second.text), whole = std::floor(steps);
      if (whole != steps)
        remarks_.push_back(fmt::format("internal_speedup {} of the network has no counterpart; {}",
                                       found->second.text, whole));
      set("network.internal_speedup", fmt::format("{}", whole), found->second.where);
    }
    import_ejection(values);
  }

  // A slice receives flits in an ejection buffer and takes packets from a boundary buffer.
  void import_ejection(const GpgpuSimOptions& values) {
    const auto get = [&](const char* option, const char* otherwise) {
      const auto found = values.find(option);
      return found == values.end() ? Given{otherwise, {path_}} : found->second;
    };
    Given ejection = get("ejection_buffer_size", "0");
    if (number(ejection.text) == 0) ejection = get("vc_buf_size", "8");
    set("network.slice_flits",
        fmt::format("{}", number(ejection.text) + number(get("boundary_buffer_size", "16").text)),
        ejection.where);
  }

  void import_memory() {
    const Given queues = get("-gpgpu_dram_partition_queues", "8:8:8:8");
    set("memory.partition_queues", fmt::format("{}", fmt::join(parts(queues, ":", 4), ",")),
        queues.where);
    const Given writes = get("-dram_write_queue_size", "32:28:16");
    const Texts sizes = parts(writes, ":", 3);
    set("memory.dram.write_queue", sizes[0], writes.where);
    set("memory.dram.write_high", sizes[1], writes.where);
    set("memory.dram.write_low", sizes[2], writes.where);
    const Given scheduler = get("-gpgpu_dram_scheduler", "1");
    set("memory.dram.scheduler", number(scheduler.text) == 0 ? "fcfs" : "fr-fcfs", scheduler.where);
    import_unbounded("-gpgpu_frfcfs_dram_sched_queue_size", "memory.dram.frfcfs_queue");
    import_unbounded("-gpgpu_dram_return_queue_size", "memory.dram.return_queue");
    const Given groups = get("-dram_bnkgrp_indexing_policy", "0");
    set("memory.dram.bank_group_bits", number(groups.text) == 0 ? "high" : "low", groups.where);
    import_timing();
    import_address_map();
  }

  // 0 is a queue without limit there.
  void import_unbounded(const char* option, const char* key) {
    const Given given = get(option, "0");
    if (number(given.text) > 0) return set(key, given);
    remarks_.push_back(fmt::format("{} 0 is without limit: {} of {}", option, key, base_));
  }

  // Timing by names (nbk=16:CCD=2:...), or 14 numbers in the same order.
  void import_timing() {
    constexpr const char* kOrder[] = {"nbk", "CCD", "RRD",  "RCD", "RAS",    "RP",   "RC",
                                      "CL",  "WL",  "CDLR", "WR",  "nbkgrp", "CCDL", "RTPL"};
    const Given given = get("-gpgpu_dram_timing_opt", "4:2:8:12:21:13:34:9:4:5:13:1:0:0");
    const Texts items = split(given.text, ":");
    if (items.size() > std::size(kOrder))
      throw UserError(given.where, fmt::format("'{}' has too many values", given.text));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto equals = items[i].find('=');
      const std::string name = equals == std::string::npos ? kOrder[i] : items[i].substr(0, equals);
      if (std::find(std::begin(kOrder), std::end(kOrder), name) == std::end(kOrder))
        throw UserError(given.where, fmt::format("'{}' is no DRAM timing", name));
      std::string key = name == "nbk" ? "banks" : name == "nbkgrp" ? "bank_groups" : name;
      for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      set("memory.dram." + key, items[i].substr(equals == std::string::npos ? 0 : equals + 1),
          given.where);
    }
  }

  // dramid@BIT;MAP: a letter for each of the 64 bits, the highest first. Runs of R, B, C and S
  // become Heddle's address_bits; the channel is not part of them.
  void import_address_map() {
    const Given given = get("-gpgpu_mem_addr_mapping", "");
    const auto start = given.text.find(';');
    if (!given.text.starts_with("dramid@") || start == std::string::npos) {
      remarks_.push_back(given.text.empty()
                             ? "the address map is that of " + base_
                             : fmt::format("-gpgpu_mem_addr_mapping {} has no counterpart; the map "
                                           "is that of {}",
                                           given.text, base_));
      return;
    }
    std::string map = given.text.substr(start + 1), bits;
    std::erase(map, '.');
    for (auto bit = map.rbegin(); bit != map.rend() && *bit != '0';) {
      const auto end = std::find_if(bit, map.rend(), [&](char c) { return c != *bit; });
      bits += fmt::format("{}{}{}", bits.empty() ? "" : " ", *bit, end - bit);
      bit = end;
    }
    set("memory.address_bits", bits, given.where);
  }

  static bool changes_no_cycle(const std::string& option) {
    static const std::vector<std::string> starts = split(kUntimed, " ");
    return std::any_of(starts.begin(), starts.end(),
                       [&](const std::string& start) { return option.starts_with(start); });
  }

  std::string text() const {
    std::string text =
        fmt::format("# From {} of GPGPU-Sim.\n", fs::path(path_).filename().string());
    for (const std::string& remark : remarks_) text += "# " + remark + "\n";
    return text + to_toml(gpu_, base_);
  }

  const std::string path_;
  const GpgpuSimOptions options_;
  std::map<std::string, bool> used_;
  const std::string base_;
  GpuSpec gpu_;
  std::map<std::string, GpuParameter> parameters_;  // bound to gpu_
  std::map<std::string, SourceLocation> origins_;
  Texts remarks_;
};

}  // namespace

ImportedGpu import_gpgpu_sim(const std::string& path) { return Importer(path).import(); }

}  // namespace heddle::config
