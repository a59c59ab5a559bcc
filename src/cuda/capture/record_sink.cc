#include "cuda/capture/record_sink.h"

#include "base/diagnostics.h"

namespace heddle::cuda {

void RecordSink::add(const Record& record) {
  if (in_host_function_)
    throw UserError(
        "this program cannot be captured: it calls CUDA while one of its host functions runs");
  changed_ = true;
  output_read_ = std::holds_alternative<ReadOutput>(record);
  writer_.add(record);
}

void RecordSink::add_effect(Effect effect) {
  if (!running_.empty())
    running_.back().effects.push_back(std::move(effect));
  else
    add(std::move(effect));
}

void RecordSink::add_write(Address to, const std::uint8_t* data, std::uint64_t bytes) {
  add_effect(WriteMemory{{to, bytes, bytes}, {bytes, 1, 1}, store(data, bytes), false});
}

void RecordSink::operation_ended(const std::optional<gpu::CopyRequest>& copy) {
  RunOperation run = std::move(running_.back());
  running_.pop_back();
  if (copy)
    run.engine_copy = {copy->direction == gpu::CopyRequest::Direction::to_device, copy->pageable,
                       copy->bytes};
  if (!run.effects.empty() || copy) add(std::move(run));
}

void RecordSink::read_output() {
  if (!output_read_ && running_.empty() && !in_host_function_) add(ReadOutput{});
}

void RecordSink::finish(const CaptureInfo& info) {
  if (!changed_) return;
  changed_ = false;
  writer_.finish(info);
}

}  // namespace heddle::cuda
