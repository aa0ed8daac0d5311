// A method as a run sees it: a description that is there once (MethodInfo), and an object for each run
// (Method).
//
//   for (const MethodInfo* info : all_methods()) print(info->name, info->about);
//   const MethodInfo& info = find_method("gossip-pca");        // throws Error(InvalidArgument)
//   const std::unique_ptr<Method> method = info.start();
//
// To add one: a folder in learn/, one file in run/methods/ that defines its MethodInfo, and its line in
// method.cpp.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/privacy/privacy_plan.h"
#include "choir/run/context.h"
#include "choir/run/option.h"
#include "choir/run/settings.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"

namespace choir {

// One run of a method. The run calls these in their order, in every process.
class Method {
 public:
  virtual ~Method() = default;

  virtual Settings& settings() = 0;
  // Takes the method's own Options in place of options by name; false if they are another method's.
  virtual bool take(const std::any& options) = 0;
  // Before any data are read: completes the options and checks what can be checked. Throws
  // Error(InvalidArgument).
  virtual void check(MethodContext& context) = 0;
  // Finds out what the nodes have; reads the data of this process's nodes. Processes may talk to each other
  // in it.
  virtual void read(MethodContext& context) = 0;
  // Who talks to whom.
  virtual Graph network(MethodContext& context) = 0;
  // What may be sent, and what memory that takes.
  virtual Contract contract(const MethodContext& context, const Graph& graph) = 0;
  // What to choose smaller if the memory does not suffice; empty: the engine's own words will do.
  virtual std::string to_need_less() const { return {}; }
  // What a run of so many nodes with --privacy is going to release, as far as that is known before it.
  virtual std::vector<Release> releases(Index /*nodes*/) const { return {}; }
  // Whose samples neighbours see more of than the kinds of messages say; said before anything is sent.
  virtual std::vector<std::string> exposes() const { return {}; }
  virtual RunReport fit(MethodContext& context, const Graph& graph) = 0;
  // Tells the other processes what this one's nodes found, and fills in the result. Processes may talk to
  // each other in it.
  virtual void conclude(MethodContext& context, const Graph& graph) = 0;
};

// Settings with a method's own options, which bring its defaults of what methods share.
template <class Options>
struct SettingsOf : Settings {
  Options method = {};

  SettingsOf() {
    if constexpr (requires { method.tol; }) components.tol = method.tol;
    if constexpr (requires { method.max_iter; }) components.max_iter = method.max_iter;
  }
};

// Rows of the method's own options.
template <class S>
struct MethodRows : OptionGroup<S, decltype(S::method)> {
  MethodRows(OptionTable& table, std::string title)
      : OptionGroup<S, decltype(S::method)>(
            table, std::move(title), [](S& settings) -> decltype(S::method)& { return settings.method; }) {}
};

// For settings of a method: `struct S : SettingsOf<some_method::Options> { ... }`.
template <class S>
class MethodOf : public Method {
 public:
  Settings& settings() override { return settings_; }
  bool take(const std::any& options) override {
    const auto* typed = std::any_cast<decltype(S::method)>(&options);
    if (typed == nullptr) return false;
    settings_.method = *typed;
    give_shared_settings(*typed, settings_);
    return true;
  }

 protected:
  S settings_;
};

enum class Brings { samples, columns, stream };  // what a node must bring

struct MethodInfo {
  std::string name;   // "consensus-kpca"
  std::string about;  // one sentence
  std::string example;
  Brings brings = Brings::samples;
  bool needs_targets = false;
  bool has_network = true;
  KindSet kinds = {};      // what may leave a node, at most
  std::string yardsticks;  // what --yardsticks compares with; empty: there are none
  // Facts that a result under --privacy may have: options, public counts, and what follows from released
  // sums.
  std::vector<std::string> private_facts = {};
  OptionTable options = {};
  std::function<std::unique_ptr<Method>()> start;
};

const std::vector<const MethodInfo*>& all_methods();
const MethodInfo& find_method(std::string_view name);

// " (choir fit gossip-pca, oneshot-kpca have it)": of an option that is unknown elsewhere. Empty: no method
// has it.
std::string methods_with(std::string_view option);

// The rows that every method has: data, kernel, components, run, engine, and, with a network, network and
// simulator.
OptionTable shared_rows(bool has_network);

}  // namespace choir
