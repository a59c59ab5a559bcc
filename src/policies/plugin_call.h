// Calls into a policy of a plug-in. What goes wrong in one is named as the policy's, with its file
// and function, and with the place and cycle of the simulation: exceptions, signals, answers that
// are not allowed, and calls that do not return.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostics.h"
#include "policies/entry.h"

namespace heddle::policies {

// From now on `end`, which ends the process, gets the message about a signal during a call, and
// about a call that needs more processor time than `limit`. Other signals reach the handlers that
// the program had.
void report_faults_of_plugins(void (*end)(const std::string& message),
                              std::chrono::milliseconds limit = std::chrono::seconds{20});

class PluginPolicy {
 public:
  // "scheduler mine of plug-in /home/you/mine.so"
  PluginPolicy(const char* kind, const std::string& name, const std::string& file)
      : name_(std::string(kind) + " " + name + " of plug-in " + file) {}

  // Calls work(), which calls the function of the policy, a string literal.
  template <class Work>
  decltype(auto) call(const char* function, Work&& work) const {
    const Scope scope{*this, function};
    try {
      return std::forward<Work>(work)();
    } catch (const UserError&) {
      throw;
    } catch (const std::exception& error) {
      refuse(function, error.what());
    } catch (...) {
      refuse(function, "an exception without a description");
    }
  }
  [[noreturn]] void refuse(const char* function, const std::string& why) const;
  // "scheduler mine of plug-in /home/you/mine.so: SM 3, cycle 1024: pick(): "; empty outside of
  // calls of this thread.
  static std::string describe_current_call();
  // The handlers of report_faults_of_plugins().
  static void handle_signal(int signal, siginfo_t* info, void* context);
  static void handle_time(int signal, siginfo_t* info, void* context);

 private:
  // Calls nest.
  struct Scope {
    Scope(const PluginPolicy& own, const char* called)
        : policy(own), function(called), outer(current) {
      if (!is_prepared) prepare_thread();
      ++calls;
      current = this;
    }
    ~Scope() { current = outer; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    [[gnu::tls_model("initial-exec")]] static constinit thread_local const Scope* current;
    [[gnu::tls_model("initial-exec")]] static constinit thread_local bool is_prepared;
    [[gnu::tls_model("initial-exec")]] static constinit thread_local std::uint64_t calls;
    const PluginPolicy& policy;
    const char* function;
    const Scope* outer;
  };
  std::string describe_call(const char* function) const;
  [[noreturn]] static void end(const Scope& call, const char* fault, const std::string& message);
  // The thread handles signals on a stack of its own, so that a policy may fill the usual one, and
  // gets a signal whenever it has run for the limit.
  static void prepare_thread();

  std::string name_;
};

// A parser whose policies are built, and build objects, in such calls. Guarded: what calls the
// object; made of the PluginPolicy and the object.
template <class Guarded, class Product, class Context>
Parser<Product, Context> guarded_parser(Parser<Product, Context> parse,
                                        const PluginPolicy& policy) {
  using Parsed = Policy<Product, Context>;
  class GuardedPolicy final : public Parsed {
   public:
    GuardedPolicy(std::shared_ptr<const Parsed> inner, PluginPolicy policy)
        : inner_(std::move(inner)), policy_(std::move(policy)) {}
    const std::string& text() const override { return inner_->text(); }
    std::unique_ptr<Product> build(const Context& context) const override {
      return std::make_unique<Guarded>(
          policy_, policy_.call("the constructor", [&] { return inner_->build(context); }));
    }
    std::string missing_input() const override { return inner_->missing_input(); }

   private:
    std::shared_ptr<const Parsed> inner_;
    PluginPolicy policy_;
  };
  return [parse = std::move(parse), policy](std::string_view options) {
    return std::make_shared<GuardedPolicy>(policy.call("Options", [&] { return parse(options); }),
                                           policy);
  };
}

}  // namespace heddle::policies
