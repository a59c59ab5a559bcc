// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

namespace heddle {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }  // negative: none
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

}  // namespace heddle
