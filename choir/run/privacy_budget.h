// How much of a data set's privacy runs have used up: a file at its owner, one per data set, that only grows.
//
//   PrivacyBudget budget("site/patients.budget", PrivacyLimit{.epsilon = 4, .delta = 1e-6});
//   budget.require_room(rho);                                      // changes nothing
//   budget.charge(rho, "3f2a9c", "consensus-kpca, epsilon 1");     // before the first byte leaves
//   budget.account().epsilon();
//
// The file goes by the name that the owner gives to the data, not by their content: a new row does not renew
// it. A charge is written and synced before charge() returns, under a lock that other processes respect, and
// is never taken back: a run that crashes has spent it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace choir {

struct PrivacyLimit {
  double epsilon = 0;
  double delta = 1e-6;

  friend bool operator==(const PrivacyLimit&, const PrivacyLimit&) = default;
};

// What a file holds.
struct PrivacyAccount {
  PrivacyLimit limit = {};
  double rho = 0;  // spent, as zero-concentrated differential privacy counts it (learn/privacy)

  double epsilon() const;  // spent, at the limit's delta
  // The largest epsilon that one more run may ask for, with that delta; 0: none.
  double largest_epsilon_left(double delta) const;
};

class PrivacyBudget {
 public:
  // `limit`: of a file that does not exist yet; may be left out for one that does. Makes no file. Throws
  // Error(BadData) for a file that is no budget, whose limit is another one, or that others may read or
  // write; Error(Io) for one that cannot be used; Error(InvalidArgument) for a limit that is none or is
  // missing.
  PrivacyBudget(std::filesystem::path path, std::optional<PrivacyLimit> limit);

  // Throws Error(InvalidArgument) if charge() would, and changes nothing.
  void require_room(double rho) const;
  // `run`: a word that names the run. A run that several processes charge to the same file is charged once.
  // `what`: for whoever reads the file; one line. Makes the file (mode 0600) if there is none. Throws
  // Error(InvalidArgument), and charges nothing, if the budget would be exceeded.
  void charge(double rho, std::string_view run, std::string_view what);

  PrivacyAccount account() const;  // of a file that does not exist yet: nothing spent

 private:
  std::filesystem::path path_;
  PrivacyLimit limit_;
};

}  // namespace choir
