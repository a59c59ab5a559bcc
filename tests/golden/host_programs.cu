// usage: host_programs CASE: programs whose host code ends, or treats signals and descriptors, in
// unusual ways.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <unistd.h>

__global__ void add_one(int* a) { a[threadIdx.x] += 1; }
__global__ void wait_for_ever(volatile int* a) {
  while (a[0] == 0) a[1] += 1;
}

int* values;

void launch(const char* where) {
  add_one<<<1, 32>>>(values);
  std::printf("%s: %s\n", where, cudaGetErrorName(cudaDeviceSynchronize()));
}

struct Solver {
  bool launches = false;
  ~Solver() {
    if (launches) launch("in a destructor");
  }
} solver;

void never_ending_launch() {
  for (int i = 0; i < 20; ++i) add_one<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  cudaMemset(values, 0, 128);
  std::puts("begun");
  std::fflush(stdout);
  wait_for_ever<<<1, 1>>>(values);
  cudaDeviceSynchronize();
}

int main(int count, char** arguments) {
  const char* const name = count > 1 ? arguments[1] : "";
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("early_destructor")) {  // before the first call of CUDA
    solver.launches = true;
    cudaMalloc(&values, 128);
    return 0;
  }
  cudaMalloc(&values, 128);
  cudaMemset(values, 0, 128);
  launch("in main");
  if (is("destructor")) {
    solver.launches = true;
  } else if (is("atexit")) {
    std::atexit([] { launch("in an exit handler"); });
  } else if (is("quick_exit")) {
    launch("before quick_exit");
    std::fflush(stdout);
    std::quick_exit(4);
  } else if (is("_exit") || is("segmentation_fault") || is("killed")) {  // no exit handler runs
    launch("afterwards");
    std::fflush(stdout);
    if (is("_exit")) _exit(3);
    std::raise(is("killed") ? SIGKILL : SIGSEGV);
  } else if (is("signal_mask")) {
    struct sigaction action{};
    sigaction(SIGINT, nullptr, &action);
    std::printf("SIGINT %s\n",
                action.sa_flags & SA_NODEFER ? "is not blocked by its handler" : "is blocked");
  } else if (is("thread")) {  // it launches until the process has ended
    std::thread([] {
      while (true) add_one<<<1, 32>>>(values);
    }).detach();
    usleep(100000);
  } else if (is("exit_in_thread")) {
    solver.launches = true;
    std::thread([] {
      launch("in a thread");
      std::exit(5);
    }).join();
  } else if (is("closes_descriptors")) {
    for (int i = 3; i < 1024; ++i) close(i);
    int ends[2];
    char read_back[7] = {};
    if (pipe(ends) || write(ends[1], "abcdef", 6) != 6) return 9;
    usleep(700000);  // longer than the simulator's threads sleep
    const long size = read(ends[0], read_back, 6);
    std::printf("read %ld bytes: %s\n", size, read_back);
    launch("afterwards");
  } else if (is("ignores_signals")) {
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    never_ending_launch();
  } else if (is("handles_signals")) {  // and goes on
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) {});
    never_ending_launch();
  } else if (is("ends_by_handler")) {
    std::signal(SIGTERM, [](int) { std::exit(6); });
    std::puts("begun");
    std::fflush(stdout);
    while (true) pause();
  } else if (is("never_ends")) {
    never_ending_launch();
  } else if (is("reads")) {
    int number = -1;
    const int numbers = std::scanf("%d", &number);
    std::printf("%d number: %d\n", numbers, number);
  }
}
