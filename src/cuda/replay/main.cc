// heddle-replay FILE: a captured program, the list of a program's traces, or kernels without a host
// program, in the place of the program. Everything else (run specification, results, faults,
// signals) is as in the process of a program.
#include <optional>

#include "cuda/capture/corun.h"
#include "cuda/capture/cut.h"
#include "cuda/capture/format.h"
#include "cuda/capture/player.h"
#include "cuda/process/api_call.h"
#include "cuda/process/interruption.h"
#include "cuda/process/result_file.h"
#include "cuda/replay/kernel_host.h"
#include "cuda/replay/trace_player.h"
#include "trace/kernel_list.h"

namespace heddle::cuda {
namespace {

void run_corun(Session& session) {
  const config::RunSpec& spec = session.spec();
  // The device runs until it sees the request to stop.
  const exec::StopRequest* const stop =
      session.control() ? &watch_for_interruption(
                              *session.control(), [] { return false; }, [](int) {})
                        : nullptr;
  write_atomically(spec.result_path, corun_results(spec, stop));
}

void replay_traces(Session& session, const std::string& list, std::optional<TracePlayer>& player) {
  TracePlayer::Callbacks callbacks;
  callbacks.launch_begins = [&](const auto& request) { session.launch_begins(request); };
  callbacks.warn = [&](const std::string& note) {
    session.warn("heddle: warning: " + note + "\n");
  };
  player.emplace(list, session.device(), std::move(callbacks));
  session.replay(*player);
}

// Its calls of the runtime hold the session's lock, so this function does not.
int run_kernels(const std::string& path, std::optional<KernelHost>& host) {
  try {
    host.emplace(path);
    const int code = host->run();
    Session::get().finish();
    return code;
  } catch (const UserError& error) {
    const std::string message = error.what();
    guarded([&](Session&) -> int { throw UserError(message); });
  }
  return static_cast<int>(ExitCode::usage);
}

}  // namespace
}  // namespace heddle::cuda

int main(int argc, char** argv) {
  using namespace heddle::cuda;
  // Results name kernels of the player, so it exists until they are written.
  std::optional<CaptureFile> file;
  std::optional<Player> player;
  std::optional<TracePlayer> traces;
  std::optional<KernelHost> host;
  if (argc == 2 && is_kernel_description(argv[1])) return run_kernels(argv[1], host);
  guarded([&](Session& session) {
    if (argc != 2) throw heddle::UserError("usage: heddle run FILE.hcap");
    if (!session.spec().corun.captures.empty()) return run_corun(session);
    if (heddle::trace::is_kernel_list(argv[1])) return replay_traces(session, argv[1], traces);
    file.emplace(argv[1]);
    check_register_overrides(session.spec().registers, file->content().kernels);
    if (session.spec().capture.cut) {
      cut(*file, session.device(), session.spec().capture);
      return;
    }
    PlayerOptions options;
    if (session.spec().from_launch > 1) options.from_launch = session.spec().from_launch;
    options.launch_begins = [&](const auto& request) { session.launch_begins(request); };
    options.host_reads_output = [&] { session.show_printed(); };
    player.emplace(*file, session.device(), std::move(options));
    session.replay(*player);
    session.streams.events.elapsed_times = file->info().elapsed_times;
  });
  Session::get().finish();
  return 0;
}
