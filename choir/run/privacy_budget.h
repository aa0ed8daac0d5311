// How much of a data set's privacy runs have used up: a file at its owner, one per data set, that only grows.
//
//   PrivacyBudget budget("site/patients.budget", {.epsilon = 4, .delta = 1e-6});
//   budget.charge(rho, "consensus-kpca, landmarks");       // before the first byte leaves
//   budget.spent_epsilon();
//
// The file goes by the name that the owner gives to the data, not by their content: a new row does not renew
// it. A charge is written and synced before charge() returns, under a lock that other processes respect, and
// is never taken back: a run that crashes has spent it.
#pragma once

#include <filesystem>
#include <string_view>

namespace choir {

struct PrivacyLimit {
  double epsilon = 0;
  double delta = 1e-6;

  friend bool operator==(const PrivacyLimit&, const PrivacyLimit&) = default;
};

class PrivacyBudget {
 public:
  // Makes the file (mode 0600) if there is none. Throws Error(BadData) for a file that is no budget, whose
  // limit is another one, or that others may read or write; Error(Io) for one that cannot be used;
  // Error(InvalidArgument) for a limit that is none.
  PrivacyBudget(std::filesystem::path path, PrivacyLimit limit);

  // rho of zero-concentrated differential privacy (learn/privacy). `what`: one line, kept in the file. Throws
  // Error(InvalidArgument), and charges nothing, if the budget would be exceeded.
  void charge(double rho, std::string_view what);

  double spent_rho() const;
  double spent_epsilon() const;  // at the limit's delta

 private:
  std::filesystem::path path_;
  PrivacyLimit limit_;
};

}  // namespace choir
