#include "lab/standard_input.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "base/temporary_folder.h"

namespace heddle::lab {
namespace {

// Replaces the standard input of the test.
class InputOf {
 public:
  explicit InputOf(int descriptor) { ::dup2(descriptor, STDIN_FILENO); }
  ~InputOf() { ::dup2(kept_.number(), STDIN_FILENO); }
  InputOf(const InputOf&) = delete;
  InputOf& operator=(const InputOf&) = delete;

 private:
  const Descriptor kept_{::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)};
};

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0); }
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int ends[2];
};

std::string whole(const Descriptor& input) {
  std::string text;
  char block[4096];
  for (ssize_t got; (got = ::read(input.number(), block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  return text;
}

TEST(StandardInputs, OfAPipeAreReadByEveryRunFromTheBeginning) {
  Pipe pipe;
  const InputOf input(pipe.ends[0]);
  StandardInput standard;
  const auto first = standard.open_for_run(), never_read = standard.open_for_run();
  pipe.write("one ");
  char start[4];
  EXPECT_EQ(::read(first->number(), start, sizeof start), 4);  // before the end of the pipe
  pipe.write("two");
  pipe.close_writer();
  EXPECT_EQ(whole(*first), "two");
  EXPECT_EQ(whole(*standard.open_for_run()), "one two");
  standard.require_complete();
}

TEST(StandardInputs, AreLongerThanAPipe) {
  const std::string text(300'000, 'x');
  Pipe pipe;
  const InputOf input(pipe.ends[0]);
  StandardInput standard;
  const auto unread = standard.open_for_run(), second = standard.open_for_run();
  std::thread writer([&] {
    pipe.write(text);
    pipe.close_writer();
  });
  EXPECT_EQ(whole(*second), text);
  EXPECT_EQ(whole(*unread), text);
  writer.join();
}

TEST(StandardInputs, WithoutDataDelayNothing) {
  Pipe pipe;
  const InputOf input(pipe.ends[0]);
  StandardInput standard;
  const auto run = standard.open_for_run();
  ::fcntl(run->number(), F_SETFL, O_NONBLOCK);
  char byte;
  EXPECT_EQ(::read(run->number(), &byte, 1), -1);
}

// Another process may read what was announced: the input has not ended then.
TEST(StandardInputs, SharedWithAnotherReaderHaveNotEndedWhileTheyAreEmpty) {
  Pipe pipe;
  ::fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
  const InputOf input(pipe.ends[0]);
  StandardInput standard;
  const auto run = standard.open_for_run();
  std::atomic<bool> stop = false;
  std::thread rival([&] {
    for (char byte; !stop;)
      if (::read(pipe.ends[0], &byte, 1) < 0) std::this_thread::yield();
  });
  for (int i = 0; i < 2000; ++i) {
    pipe.write("x");
    std::this_thread::yield();
  }
  stop = true;
  rival.join();
  pipe.write("end");
  pipe.close_writer();
  EXPECT_TRUE(whole(*run).ends_with("end"));
}

TEST(StandardInputs, OfAFileAreReadFromItsPosition) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("input")) << "one two";
  const Descriptor file(::open(folder.file("input").c_str(), O_RDONLY | O_CLOEXEC));
  ::lseek(file.number(), 4, SEEK_SET);
  const InputOf input(file.number());
  StandardInput standard;
  EXPECT_EQ(whole(*standard.open_for_run()), "two");
  EXPECT_EQ(whole(*standard.open_for_run()), "two");
}

}  // namespace
}  // namespace heddle::lab
