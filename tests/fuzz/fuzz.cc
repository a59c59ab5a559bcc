// Reads damaged inputs, for as long as one wants: build/bin/fuzz captures --seconds 600
#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>

#include "tests/fuzz/runner.h"

int main(int argc, char** argv) {
  using namespace heddle::fuzz;
  double seconds = 0;
  Plan plan{1, 0, 2000};
  std::vector<std::string> names, also;
  std::string kept = "fuzz-findings";
  CLI::App app{
      "Damages inputs and reads them. A finding is a reader that ends by a signal, does not end, "
      "needs too much memory, or refuses without naming the file",
      "fuzz"};
  app.add_option("TARGET", names, "which readers; all by default");
  app.add_option("--count", plan.count, "damaged inputs of each")->capture_default_str();
  app.add_option("--first", plan.first, "the number of the first one")->capture_default_str();
  app.add_option("--seconds", seconds, "repeat with further inputs for so long");
  app.add_option("--seed", plan.seed, "seed of the damage")->capture_default_str();
  app.add_option("--also", also, "further inputs to damage; needs one TARGET")
      ->check(CLI::ExistingFile);
  app.add_option("--keep", kept, "folder for inputs of findings")->capture_default_str();
  auto targets = all_targets();
  std::string list = "Targets:";
  for (const auto& target : targets)
    list +=
        "\n  " + target->name() + std::string(14 - target->name().size(), ' ') + target->meaning();
  app.footer(list);
  CLI11_PARSE(app, argc, argv);

  std::erase_if(targets, [&](const auto& target) {
    return !names.empty() && std::find(names.begin(), names.end(), target->name()) == names.end();
  });
  if (targets.empty() || (!also.empty() && targets.size() != 1)) {
    std::cerr << (targets.empty() ? "fuzz: no such target\n" : "fuzz: --also needs one TARGET\n");
    return 2;
  }
  for (const std::string& file : also) targets.front()->add(file);
  const auto start = std::chrono::steady_clock::now();
  bool found = false;
  do {
    for (const auto& target : targets) {
      const Report report = run(*target, plan, kept);
      std::cout << target->name() << ": inputs " << plan.first << " to "
                << plan.first + plan.count - 1 << ", " << report.accepted << " accepted, "
                << report.refused << " refused, " << report.faulted << " faults, " << report.stopped
                << " stopped, " << report.findings.size() << " findings" << std::endl;
      for (const std::string& finding : report.findings) std::cout << "  " << finding << std::endl;
      found = found || !report.findings.empty();
    }
    plan.first += plan.count;
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
           seconds);
  return found ? 1 : 0;
}
