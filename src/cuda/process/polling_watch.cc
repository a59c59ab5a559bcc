#include "cuda/process/polling_watch.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "base/own_threads.h"
#include "cuda/process/session.h"

namespace heddle::cuda {

void watch_for_polling(Session& session) {
  start_own_thread([&session] {
    PollingWatch watch;
    for (;;) {
      ::sleep(1);
      if (!session.calls.mutex.try_lock()) continue;  // a call runs
      const bool warns = watch.second_passed(session.calls.count, !session.streams.idle());
      session.calls.mutex.unlock();
      if (!warns) continue;
      const std::string text = fmt::format(
          "heddle: warning: the program has made no CUDA call for {} s while work waits in its "
          "streams\n  The device advances only while the host waits for it. A program that polls "
          "memory calls cudaStreamQuery(stream) in its loop, or cudaStreamSynchronize(stream) "
          "instead of it.\n",
          PollingWatch::kPatience_s);
      std::fputs(text.c_str(), stderr);
      return;
    }
  });
}

}  // namespace heddle::cuda
