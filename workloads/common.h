// What the programs share on the host: sizes, deterministic input, device arrays, the verdict.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace workload {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

// A linear congruential generator: the same numbers on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : state_(seed) {}
  unsigned next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<unsigned>(bound)); }
  float unit() { return static_cast<float>(next() & 0xffffu) / 65536.0f; }  // 0 <= x < 1
  std::vector<float> units(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = unit();
    return values;
  }

 private:
  unsigned state_;
};

struct Named {
  const char* name;
  int tiny, small, full;
};

// The arguments of a program: "PROGRAM [tiny|small|full] [number]...". The numbers replace those of
// the size, from left to right.
class Sizes {
 public:
  Sizes(int argc, char** argv, const char* program, std::initializer_list<Named> parameters) {
    int position = 1;
    const char* size = "small";
    if (argc > 1 && !is_number(argv[1])) size = argv[position++];
    for (const Named& p : parameters) {
      int value = 0;
      if (!std::strcmp(size, "tiny"))
        value = p.tiny;
      else if (!std::strcmp(size, "small"))
        value = p.small;
      else if (!std::strcmp(size, "full"))
        value = p.full;
      else
        usage(program, parameters);
      if (position < argc) {
        if (!is_number(argv[position])) usage(program, parameters);
        value = std::atoi(argv[position++]);
      }
      if (value < 1) usage(program, parameters);
      values_.push_back(value);
    }
    if (position < argc) usage(program, parameters);
    std::printf("%s", program);
    std::size_t i = 0;
    for (const Named& p : parameters) std::printf(" %s=%d", p.name, values_[i++]);
    std::printf("\n");
  }
  int operator[](std::size_t i) const { return values_[i]; }

 private:
  static bool is_number(const char* text) {
    const std::size_t length = std::strlen(text);
    return length > 0 && length < 10 && std::strspn(text, "0123456789") == length;
  }
  [[noreturn]] static void usage(const char* program, std::initializer_list<Named> parameters) {
    std::fprintf(stderr, "usage: %s [tiny|small|full]", program);
    for (const Named& p : parameters) std::fprintf(stderr, " [%s]", p.name);
    std::fprintf(stderr, "\n");
    for (const Named& p : parameters) {
      std::fprintf(stderr, "  %-12s tiny %d, small %d, full %d\n", p.name, p.tiny, p.small, p.full);
    }
    std::exit(2);
  }

  std::vector<int> values_;
};

// An array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), "cudaMalloc");
    check(cudaMemset(data_, 0, count * sizeof(T)), "cudaMemset");
  }
  explicit DeviceArray(const std::vector<T>& host) : count_(host.size()) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T)), "cudaMalloc");
    assign(host);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void assign(const std::vector<T>& host) {
    check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
          "copy to the device");
  }
  std::vector<T> host() const {
    std::vector<T> copy(count_);
    check(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
          "copy from the device");
    return copy;
  }
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

// Waits for a launch; exits if it failed.
inline void finish(const char* kernel) {
  check(cudaGetLastError(), kernel);
  check(cudaDeviceSynchronize(), kernel);
}

inline bool near(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance * (1.0 + std::fabs(expected));
}

// Prints the last line of a program and returns its exit code.
inline int verdict(long wrong, long checked) {
  if (wrong) std::printf("%ld of %ld values are wrong\n", wrong, checked);
  std::printf(wrong || !checked ? "FAIL\n" : "PASS\n");
  return wrong || !checked ? 1 : 0;
}

inline int blocks_for(int threads, int block) { return (threads + block - 1) / block; }

}  // namespace workload
