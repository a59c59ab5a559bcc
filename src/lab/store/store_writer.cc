#include "lab/store/store_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/diagnostics.h"
#include "config/config.h"
#include "config/json_text.h"
#include "lab/statistics_list.h"
#include "lab/store/results_store.h"
#include "lab/store/row.h"
#include "lab/store/schema.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPrograms = "programs.";

// WAL needs memory that processes share, which file systems of other machines do not offer.
bool is_local(const std::string& path) {
  struct statfs facts{};
  if (statfs(path.c_str(), &facts) != 0) return true;
  constexpr std::array<std::uint32_t, 7> kRemote{
      0x6969,      // NFS
      0x517b,      // SMB
      0xff534d42,  // CIFS
      0xfe534d42,  // SMB2
      0x0bd00bd0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
  };
  for (const std::uint32_t type : kRemote)
    if (static_cast<std::uint32_t>(facts.f_type) == type) return false;
  return true;
}

std::string dimensions(const ordered_json& three) {
  return fmt::format("{}x{}x{}", three[0].get<std::uint64_t>(), three[1].get<std::uint64_t>(),
                     three[2].get<std::uint64_t>());
}

template <class Value>
std::optional<Value> value_or_null(const ordered_json& object, const char* key) {
  if (!object.contains(key)) return {};
  return object[key].get<Value>();
}

StoredKernel kernel_row(std::int64_t run, std::uint64_t number, const ordered_json& launch) {
  const ordered_json occupancy = launch.value("occupancy", ordered_json::object());
  StoredKernel row;
  row.run_id = run;
  row.launch = number;
  launch.at("display_name").get_to(row.name);
  launch.at("simulated").get_to(row.simulated);
  row.grid = dimensions(launch.at("grid"));
  row.block = dimensions(launch.at("block"));
  launch.at("registers_per_thread").get_to(row.registers_per_thread);
  launch.at("shared_bytes").get_to(row.shared_bytes);
  row.ctas_per_sm = value_or_null<std::uint64_t>(occupancy, "ctas_per_sm");
  row.warps_per_sm = value_or_null<std::uint64_t>(occupancy, "warps_per_sm");
  row.occupancy_limiter = value_or_null<std::string>(occupancy, "limiter");
  row.start_cycle = value_or_null<std::uint64_t>(launch, "start_cycle");
  launch.at("cycles").get_to(row.cycles);
  launch.at("warp_instructions").get_to(row.warp_instructions);
  launch.at("thread_instructions").get_to(row.thread_instructions);
  return row;
}

// Counters of a policy, and of its list of decisions the one that the SMs followed.
ordered_json policy_values(const ordered_json& policy) {
  ordered_json kept = ordered_json::object();
  if (!policy.is_object()) return kept;
  for (const auto& [name, value] : policy.items()) {
    if (!value.is_array() || value.empty() || !value[0].is_object()) {
      kept[name] = value;
      continue;
    }
    const auto followed = std::find_if(value.begin(), value.end(), [](const ordered_json& one) {
      return one.value("decides", std::uint64_t{0}) != 0;
    });
    if (followed == value.end()) continue;
    for (const auto& [key, number] : followed->items())
      if (number.is_number()) kept[name][key] = number;
  }
  return kept;
}

// The values of a launch that are kept.
ordered_json leading(const ordered_json& launch) {
  ordered_json kept;
  for (const char* key : {"ipc", "slots", "l1d_misses", "rates", "lanes", "read_time"})
    if (launch.contains(key)) kept[key] = launch[key];
  const auto pick = [&](const char* group, std::initializer_list<const char*> keys) {
    if (!launch.contains(group)) return;
    for (const char* key : keys)
      if (launch[group].contains(key)) kept[group][key] = launch[group][key];
  };
  for (const char* cache : {"l1d", "l2", "texture"})
    pick(cache,
         {"accesses", "hits", "pending_hits", "misses", "hits_same_warp", "hits_other_warp"});
  pick("dram", {"reads", "writes", "row_hits", "data_cycles", "active_cycles"});
  pick("energy", {"total_nj"});
  if (const auto policies = launch.find("policy"); policies != launch.end())
    for (const auto& [policy, values] : policies->items())
      kept["policy"][policy] = policy_values(values);
  return kept;
}

}  // namespace

StoreWriter::Lock::Lock(const std::string& path) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw UserError("store " + path + ": it cannot be written: " + std::strerror(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  close(descriptor_);
  throw UserError("store " + path +
                  ": another heddle sweep writes it; wait for its end, or use another --out");
}
StoreWriter::Lock::~Lock() { close(descriptor_); }

StoreWriter::StoreWriter(const std::string& path, const std::vector<std::string>& plugins)
    : lock_(path), database_(path, Database::Access::write) {
  // A transaction is safe once it is committed when the process is killed; after a power failure
  // the last ones may be missing, and are measured again.
  database_.execute(
      fmt::format("PRAGMA journal_mode = {}; PRAGMA synchronous = NORMAL; "
                  "PRAGMA foreign_keys = ON",
                  is_local(path) ? "WAL" : "DELETE"));
  prepare_schema(database_);
  for (stats::FieldInfo& field : list_statistics(plugins)) declared_.emplace(field.key, field);
  Statement known(database_, "SELECT name, id FROM statistics");
  while (known.step()) statistics_[known.text(0)] = known.integer(1);
  put_run_.emplace(database_, ColumnNames<StoredRun>().insert_into("runs"));
  put_run_value_.emplace(database_, "INSERT INTO run_values VALUES(?, ?, ?)");
  put_estimate_.emplace(database_, "INSERT INTO estimates VALUES(?, ?, ?)");
  put_kernel_.emplace(database_, ColumnNames<StoredKernel>().insert_into("kernels"));
  put_kernel_value_.emplace(database_, "INSERT INTO kernel_values VALUES(?, ?, ?)");
  put_statistic_.emplace(database_, "INSERT INTO statistics(name, unit, meaning) VALUES(?, ?, ?)");
  put_document_.emplace(database_, "INSERT INTO documents(run_id, name, content) VALUES(?, ?, ?)");
  remove_from_queue_.emplace(database_, "DELETE FROM queue WHERE run_key = ?");
  find_run_.emplace(database_, "SELECT status FROM runs WHERE key = ?");
  find_configuration_.emplace(database_, "SELECT 1 FROM configurations WHERE hash = ?");
  remove_run_.emplace(database_, "DELETE FROM runs WHERE key = ?");
}

StoreWriter::~StoreWriter() {
  // A store that nobody writes is one file, which can be read in a folder without write access.
  try {
    database_.execute("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
  } catch (const UserError&) {
    // A reader has it open: it stays as it is.
  }
}

void StoreWriter::synchronize() { database_.execute("PRAGMA wal_checkpoint(FULL)"); }

// Keeps the parameters of the run's GPU, unless its file has changed since the run was planned.
void StoreWriter::put_configuration(const RunIdentity& identity) {
  find_configuration_->bind(identity.configuration_hash);
  const bool known = find_configuration_->step();
  find_configuration_->bind();
  if (known) return;
  config::GpuSpec gpu;
  try {
    gpu = config::load_gpu(identity.run.gpu, identity.run.overrides);
  } catch (const UserError&) {
    return;
  }
  if (config::hash(gpu) != identity.configuration_hash) return;
  ordered_json parameters = ordered_json::object();
  for (const config::GpuParameterInfo& parameter : config::list_parameters(gpu)) {
    const ordered_json number = ordered_json::parse(parameter.value, nullptr, false);
    parameters[parameter.key] = number.is_number() ? number : ordered_json(parameter.value);
  }
  Statement(database_, "INSERT INTO configurations VALUES(?, ?, ?, ?)")
      .bind(identity.configuration_hash, gpu.name, config::json_text(parameters),
            config::to_toml(gpu))
      .run();
}

std::int64_t StoreWriter::statistic(const std::string& name) {
  const auto known = statistics_.find(name);
  if (known != statistics_.end()) return known->second;
  // A program of a co-run has the statistics of a run. A bucket has the declaration of its
  // breakdown or histogram: the name without its last part.
  std::string base = name;
  if (base.starts_with(kPrograms)) base.erase(0, base.find('.', kPrograms.size()) + 1);
  const auto exact = declared_.find(base);
  const std::size_t dot = base.rfind('.');
  const auto whole =
      dot == std::string::npos ? declared_.end() : declared_.find(base.substr(0, dot));
  if (exact != declared_.end())
    put_statistic_->bind(name, exact->second.unit, exact->second.meaning).run();
  else if (whole != declared_.end())
    put_statistic_
        ->bind(name, whole->second.unit, whole->second.meaning + ": " + base.substr(dot + 1))
        .run();
  else
    put_statistic_->bind(name, "", "").run();
  return statistics_[name] = database_.last_row_id();
}

void StoreWriter::put_values(Statement& insert, std::int64_t owner, const std::string& prefix,
                             const ordered_json& json) {
  const auto put = [&](const std::string& name, const ordered_json& value) {
    if (value.is_structured())
      put_values(insert, owner, name + ".", value);
    else if (value.is_number_float())
      insert.bind(owner, statistic(name), value.get<double>()).run();
    else if (value.is_number())
      insert.bind(owner, statistic(name), value.get<std::int64_t>()).run();
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) put(prefix + key, value);
  } else if (!json.empty() && json[0].is_number()) {  // a histogram; lists of records are not kept
    for (std::size_t i = 0; i < json.size(); ++i) put(fmt::format("{}{}", prefix, i), json[i]);
  }
}

void StoreWriter::put_kernels(std::int64_t run, const ordered_json& kernels) {
  std::uint64_t launch = 0;
  for (const ordered_json& one : kernels) {
    RowBinder::bind(*put_kernel_, kernel_row(run, ++launch, one)).run();
    put_values(*put_kernel_value_, database_.last_row_id(), "", leading(one));
  }
}

void StoreWriter::put_run(const SweepTask& task, const RunRecord& record) {
  StoreTransaction transaction(database_);
  remove_from_queue_->bind(task.key).run();
  find_run_->bind(task.key);
  const bool known = find_run_->step();
  const bool completed = known && find_run_->text(0) == to_string(RunStatus::completed);
  find_run_->bind();
  if (completed) return transaction.commit();
  if (known) remove_run_->bind(task.key).run();
  ordered_json totals = ordered_json::object();
  if (record.status == RunStatus::completed) totals = record.results.at("totals");
  StoredRun row;
  row.key = task.key;
  row.identity = task.identity;
  row.changes = task.identity.changes();
  row.limits = task.limits;
  row.record = record;
  row.launches = value_or_null<std::uint64_t>(totals, "launches");
  row.cycles = value_or_null<std::uint64_t>(totals, "cycles");
  row.warp_instructions = value_or_null<std::uint64_t>(totals, "warp_instructions");
  row.thread_instructions = value_or_null<std::uint64_t>(totals, "thread_instructions");
  if (totals.contains("simulated"))
    row.timed_share = value_or_null<double>(totals["simulated"], "timed_share");
  RowBinder::bind(*put_run_, row).run();
  const std::int64_t run = database_.last_row_id();
  put_configuration(task.identity);
  if (!totals.empty()) {
    put_values(*put_run_value_, run, "", totals);
    put_kernels(run, record.results.at("kernels"));
    for (const ordered_json& one : record.results.value(
             ordered_json::json_pointer("/sample/estimates"), ordered_json::array()))
      put_estimate_->bind(run, statistic(one.at("statistic")), one.at("bar").get<double>()).run();
  }
  if (!record.run_json.empty()) put_document_->bind(run, "run.json", record.run_json).run();
  transaction.commit();
}

}  // namespace heddle::lab
