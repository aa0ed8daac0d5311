// What a run found out, typed once: what a program shows, what result.json holds, what Python hands out.
//
//   const Result result = run.execute();
//   result.eigenvalues;                       // D
//   result.text;                              // a table for people
//   result.save("runs/a");                    // the run folder, whole or not at all
//
// Keys of result.json may be added, none renamed; result_json.h writes them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "choir/base/facts.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/privacy/privacy_report.h"
#include "choir/linalg/types.h"
#include "choir/model/model_file.h"
#include "choir/run/drawings.h"
#include "choir/runtime/engine.h"

namespace choir {

// Something that went wrong, or differently, at a time: "node 3 crashed in round 12".
struct Fault {
  double at = 0;  // seconds, or a round
  bool in_rounds = false;
  std::optional<NodeId> node = {};
  std::string what = {};   // "crashed", "cut off"
  std::string words = {};  // one sentence
  std::optional<double> until = {};
};

// Rows against columns, counted over samples: labels and the clusters that they fell into, or the classes
// that were predicted.
struct Confusion {
  std::string rows_are;
  std::string columns_are;
  std::vector<std::int64_t> rows = {};
  std::vector<std::int64_t> columns = {};
  std::vector<std::vector<std::int64_t>> counts = {};
};

// What it takes to do it again.
struct Call {
  std::string command;
  std::string note;
  Index ranks = 1;
  std::vector<std::pair<std::string, std::string>> options = {};  // by key, as TOML writes what was used
  std::map<std::string, std::string> resolved =
      {};                    // what the run chose itself: gamma = "median" became a number
  std::string config = {};   // the text of config.resolved.toml
  std::string started = {};  // UTC, ISO 8601
};

// A model of a node, made when it is written: a thousand of them need not be in memory at once.
struct NodeModel {
  NodeId node = 0;
  std::function<ModelFile()> make;
  std::vector<NodeId> holders = {};  // nodes that all have this one; empty: the node
};

// Integers of a node's samples, in the order of its shard. Those of a process are in one file, labels-0.npz
// if its first node is 0, with the node of each beside them.
struct NodeNumbers {
  NodeId node = 0;
  std::string name;
  std::vector<std::int64_t> values;
};

class RunFolder;
class ProcessGroup;
struct SavingPlace;  // saving.h

struct Result {
  std::string choir_version = {};
  std::string method = {};
  std::string engine = "local";
  std::uint64_t random_state = 0;
  Index nodes = 1;
  Index samples = 0;
  Index features = 0;
  Index n_components = 0;
  std::optional<bool> converged = {};  // nothing: a run of fixed length
  Index iterations = 0;
  double tol = 0;
  std::optional<double> residual = {};
  std::optional<double> change = {};  // of the last iteration, where that is what a method stops by
  std::vector<double> consensus_gap = {};
  std::optional<double> between_node_variance = {};
  Vector eigenvalues = {};                             // D
  Vector explained_variance_ratio = {};                // D
  std::optional<Assessment> assessment = {};           // how good the answer is, measured without pooling
  std::map<std::string, Matrix> quality = {};          // J x D each; NaN: a node without an answer
  std::map<std::string, double> quality_numbers = {};  // one for the whole network

  std::optional<PrivacyReport> privacy = {};  // under differential privacy: what it promises and cost

  std::map<Kind, Traffic> ledger = {};  // between nodes; empty: nothing left a node
  std::map<Kind, Traffic> between_processes =
      {};  // what the processes of the run told each other, all together
  double setup_seconds = 0;
  double iterate_seconds = 0;
  double total_seconds = 0;
  std::optional<double> virtual_seconds = {};  // on the clock of a simulated network
  std::uint64_t planned_memory_bytes = 0;
  std::uint64_t memory_peak_bytes = 0;

  std::vector<PeerLoss> lost_peers = {};
  std::vector<NodeId> crashed = {};
  std::vector<Fault> faults = {};
  std::vector<MessageFaults> message_faults = {};  // J, or empty
  std::optional<NetworkDrawing> network = {};
  std::map<Kind, std::vector<std::uint64_t>> sent_by_kind = {};  // bytes of every node
  std::optional<EmbeddingDrawing> embedding = {};
  std::optional<DecisionDrawing> decision = {};
  std::optional<Confusion> confusion = {};

  std::vector<std::string> notes = {};   // sentences the user should read
  Facts facts = {};                      // the method's own
  std::vector<Facts> metrics = {};       // lines of metrics.jsonl
  std::string text = {};                 // the summary as a table for people
  std::string if_longer = "--max-iter";  // what to raise if it did not converge
  std::string what_helps = {};           // where that is something else: the advice, as the end of a sentence
  Call call = {};

  std::vector<NodeModel> models = {};  // of the nodes of this process
  std::vector<NodeNumbers> numbers = {};
  std::shared_ptr<SavingPlace> place = {};  // where processes write together; nothing: a run of one process

  // It converged, or was not asked to, and nothing speaks against it.
  bool good() const { return converged.value_or(true) && (!assessment || assessment->good()); }

  bool has_network = false;  // nodes that could have sent something

  // Writes the run folder: result.json, metrics.jsonl, config.resolved.toml, the models, and report.html if
  // `with_page`. It appears whole or not at all. Of several processes all call it. Throws
  // Error(InvalidArgument) if the folder exists and is not to be replaced, Error(Io).
  struct Saving {
    bool replace = false;
    bool with_page = false;
  };
  void save(const std::string& folder, const Saving& saving) const;
  void save(const std::string& folder) const { save(folder, Saving()); }
};

// Of J x D values, over the nodes that have an answer; NaN where none has.
Vector mean_over_nodes(const Matrix& values);

// Each sentence once, however many nodes have it.
void add_notes(const std::vector<std::string>& notes, Result& result);
// The same for sentences of nodes with numbers of their own in them: one of those that differ by numbers
// alone is enough.
void add_similar_notes(const std::vector<std::vector<std::string>>& notes_of_nodes, Result& result);

}  // namespace choir
