// A lazily started coroutine: the shape of a node program and of every building block.
//
//   Task<double> mean_of_three(Node& node, double value) {
//     for (int round = 0; round < 3; ++round) value = co_await step(node, value);
//     co_return value;
//   }
//
// Tasks call tasks with co_await; the callee's exceptions arrive at the caller. A Task owns its frame:
// destroying it destroys everything it called, destructors included, which is how a run is cancelled.
//
// Nothing here transfers control from coroutine to coroutine directly: that overflows the stack without
// optimisation and under sanitizers. A coroutine that suspends leaves in its node's Trampoline who runs
// next, and the trampoline's loop resumes it.
//
// Beware of g++ 12: an aggregate built inside a co_await expression is destroyed twice. Name it first. A test
// (tests/architecture) refuses braces inside co_await expressions.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace choir {

// The loop that runs the coroutines of one node.
class Trampoline {
 public:
  // What runs when the current coroutine has suspended.
  void continue_with(std::coroutine_handle<> next) { next_ = next; }
  // The current coroutine waits for the world; resume() goes on there.
  void park(std::coroutine_handle<> waiting) { parked_ = waiting; }

  // Runs until a coroutine parks or the outermost one has ended.
  void resume() {
    next_ = std::exchange(parked_, {});
    while (next_) std::exchange(next_, {}).resume();
  }

 private:
  std::coroutine_handle<> next_;
  std::coroutine_handle<> parked_;
};

namespace detail {

class PromiseBase {
 public:
  Trampoline* trampoline = nullptr;
  std::coroutine_handle<> caller;  // null: the outermost task
  std::exception_ptr error;

  struct HandBack {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      PromiseBase& promise = ended.promise();
      if (promise.caller) promise.trampoline->continue_with(promise.caller);
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  HandBack final_suspend() const noexcept { return {}; }
  void unhandled_exception() { error = std::current_exception(); }

  // Frames hold fixed-size vectors of the widest kind; g++ 12 aligns frames to 16 bytes only.
  static constexpr std::align_val_t frame_alignment{64};
  static void* operator new(std::size_t size) { return ::operator new(size, frame_alignment); }
  static void operator delete(void* frame) { ::operator delete(frame, frame_alignment); }
};

template <class T>
class Promise : public PromiseBase {
 public:
  template <class U = T>
  void return_value(U&& value) {
    value_.emplace(std::forward<U>(value));
  }
  T take() {
    if (error) std::rethrow_exception(error);
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
 public:
  void return_void() {}
  void take() {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace detail

template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::Promise<T> {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  Task() = default;
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~Task() {
    if (frame_) frame_.destroy();
  }

  // Makes this the outermost task of a trampoline, whose next resume() starts it.
  void start_on(Trampoline& trampoline) {
    frame_.promise().trampoline = &trampoline;
    trampoline.park(frame_);
  }
  bool done() const { return frame_.done(); }
  // What it returned or threw; only once it is done.
  T take() { return frame_.promise().take(); }

  class Awaiter {
   public:
    explicit Awaiter(std::coroutine_handle<promise_type> callee) : callee_(callee) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) {
      Trampoline* trampoline = caller.promise().trampoline;
      callee_.promise().trampoline = trampoline;
      callee_.promise().caller = caller;
      trampoline->continue_with(callee_);
    }
    T await_resume() { return callee_.promise().take(); }

   private:
    std::coroutine_handle<promise_type> callee_;
  };
  Awaiter operator co_await() const& { return Awaiter(frame_); }
  Awaiter operator co_await() && { return Awaiter(frame_); }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

}  // namespace choir
