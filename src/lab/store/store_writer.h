// Writes runs into a results store. One process at a time writes: the writer holds a lock on the
// file until it is destroyed or its process ends.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/store/database.h"
#include "lab/store/run_record.h"
#include "stats/listing.h"

namespace heddle::lab {

class StoreWriter {
 public:
  // Creates the store or brings it to the newest version. Throws UserError when another process
  // writes the store, and when it cannot be written. The store has unit and meaning of statistics
  // of these plug-ins, too.
  explicit StoreWriter(const std::string& path, const std::vector<std::string>& plugins = {});
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  Database& database() { return database_; }

  // Adds a finished run and removes it from the queue, in one transaction. A completed run with the
  // same key stays as it is. After an exception the writer can only be destroyed.
  void put_run(const SweepTask& task, const RunRecord& record);
  // Everything that was written before is on the disk, even after a power failure.
  void synchronize();

 private:
  // Locks the file. SQLite uses locks of another kind, which do not conflict with this one.
  class Lock {
   public:
    explicit Lock(const std::string& path);
    ~Lock();

   private:
    int descriptor_ = -1;
  };

  void put_values(Statement& insert, std::int64_t owner, const std::string& prefix,
                  const nlohmann::ordered_json& json);
  void put_kernels(std::int64_t run, const nlohmann::ordered_json& kernels);
  void put_configuration(const RunIdentity& identity);
  std::int64_t statistic(const std::string& name);

  Lock lock_;
  Database database_;
  std::map<std::string, std::int64_t> statistics_;  // ids by name
  std::map<std::string, stats::FieldInfo> declared_;
  std::optional<Statement> put_run_, put_run_value_, put_estimate_, put_kernel_, put_kernel_value_,
      put_statistic_, put_document_, remove_from_queue_, find_run_, remove_run_,
      find_configuration_;
};

}  // namespace heddle::lab
