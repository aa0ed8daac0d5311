// Processes of a run as threads of a test: what they tell each other has been bytes.
//
//   in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) { ... });
#pragma once

#include <barrier>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "choir/runtime/message_codec.h"
#include "choir/runtime/process_group.h"

namespace choir::testing {

// tell_all() waits for all of them.
class Processes {
 public:
  explicit Processes(std::ptrdiff_t count) : told_(static_cast<std::size_t>(count)), barrier_(count) {}

  std::vector<Message> tell_all(std::size_t process, const Message& mine) {
    told_[process].clear();
    encode(mine, told_[process]);
    barrier_.arrive_and_wait();
    std::vector<Message> all;
    for (const ByteBuffer& bytes : told_) {
      all.push_back(decode(std::make_shared<const ByteBuffer>(bytes), 0, bytes.size()));
    }
    barrier_.arrive_and_wait();
    return all;
  }
  Index size() const { return static_cast<Index>(told_.size()); }

  template <class Body>
  void run(Body body) {
    std::vector<std::jthread> threads;
    for (std::size_t process = 0; process < told_.size(); ++process) {
      threads.emplace_back([=] { body(process); });
    }
  }

 private:
  std::vector<ByteBuffer> told_;
  std::barrier<> barrier_;
};

class ThreadEngine : public Engine {
 public:
  ThreadEngine(Processes& processes, std::size_t process) : processes_(processes), process_(process) {}
  std::string_view name() const override { return "threads"; }
  RunReport run(const Graph&, const Contract&, const Program&, const RunOptions&) override { return {}; }
  bool is_speaker() const override { return process_ == 0; }
  Index processes() const override { return processes_.size(); }
  Index process() const override { return static_cast<Index>(process_); }
  std::vector<Message> tell_all(const Message& mine) override { return processes_.tell_all(process_, mine); }

 private:
  Processes& processes_;
  std::size_t process_;
};

// Gives each of so many processes its group.
template <class Body>
void in_a_group_of(std::ptrdiff_t count, Body body) {
  Processes processes(count);
  processes.run([&](std::size_t process) {
    ThreadEngine engine(processes, process);
    ProcessGroup group(engine);
    body(process, group);
  });
}

}  // namespace choir::testing
