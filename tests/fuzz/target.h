// A fuzz target: a reader of bytes from outside, with inputs that it accepts. The runner damages
// them and looks at what the reader does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/mutations.h"

namespace heddle::fuzz {

class Target {
 public:
  virtual ~Target() = default;
  virtual std::string name() const = 0;
  virtual std::string meaning() const = 0;
  // What the input's file is called; readers look at names, too.
  virtual std::string file_name() const { return "input"; }
  virtual std::size_t inputs() const = 0;
  virtual std::string input(std::size_t number) const = 0;
  // A further input.
  virtual void add(const std::string& path) = 0;
  virtual std::string damaged(Random& random) const = 0;
  // Reads the file as the verbs of heddle do, in its folder. Returns when it is accepted. Throws
  // UserError with the file when it is refused; exec::KernelFault and exec::Interrupted when its
  // code ran and did something illegal, or did not end.
  virtual void read(const std::string& path) const = 0;
};

std::unique_ptr<Target> modules();
std::unique_ptr<Target> fat_binaries();
std::unique_ptr<Target> cubins();
std::unique_ptr<Target> programs();
std::unique_ptr<Target> captures();
std::unique_ptr<Target> studies();
std::unique_ptr<Target> gpus();
std::unique_ptr<Target> hints();
std::unique_ptr<Target> kernels();
std::unique_ptr<Target> traces();
std::unique_ptr<Target> stores();
std::unique_ptr<Target> results();
std::unique_ptr<Target> originals();
std::unique_ptr<Target> timelines();
std::unique_ptr<Target> references();
std::unique_ptr<Target> options();

std::vector<std::unique_ptr<Target>> all_targets();

// A target whose inputs are texts or bytes without a structure of their own.
class PlainTarget : public Target {
 public:
  explicit PlainTarget(std::vector<std::string> inputs) : inputs_(std::move(inputs)) {}
  std::size_t inputs() const override { return inputs_.size(); }
  std::string input(std::size_t number) const override { return inputs_.at(number); }
  void add(const std::string& path) override;

 protected:
  const std::vector<std::string>& all() const { return inputs_; }

 private:
  std::vector<std::string> inputs_;
};

}  // namespace heddle::fuzz
