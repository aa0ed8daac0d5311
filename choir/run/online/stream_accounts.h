// What became of the records of a run's streams that nobody learned from.
//
//   describe_streams(all_accounts(own, processes), settings, result);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/base/types.h"
#include "choir/run/result.h"
#include "choir/runtime/process_group.h"

namespace choir {

// Of one node; it may be told to others. No part of a record is in it.
struct StreamAccount {
  NodeId node = 0;
  std::uint64_t bad_records = 0;  // passed over, by earlier runs that this one continues as well
  // Records that earlier runs received from its pipe after their last checkpoints, and first lines that were
  // passed over; of a pipe that is dealt out the first node tells.
  std::uint64_t lost_samples = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, bad_records, lost_samples);
  }
};

// Of all processes, by node.
std::vector<StreamAccount> all_accounts(const std::vector<StreamAccount>& own, ProcessGroup& processes);

// bad_records and lost_samples of every node, and sentences where there are any. `first_bad`: sentences about
// some of this process's bad records, which quote them and so stay in the process.
void describe_streams(const std::vector<StreamAccount>& accounts, const std::vector<std::string>& first_bad,
                      Result& result);

// "120 records that were received ... are lost"; empty for none.
std::string lost_words(std::uint64_t samples);

}  // namespace choir
