// Which estimator the parties use if the user leaves it to them: the one that needs fewer numbers for the
// same accuracy, decided from what every party would have to send. Pure mathematics.
//
//   const SendingNeed mine = need_of(product, distances, gamma, columns);
//   const SendingNeed all = ...;                            // the sum over parties
//   const Estimator estimator = cheaper_estimator(all);     // adaptive numbers of vectors
//   const Estimator estimator = better_estimator(all);      // a fixed number of vectors
//
// To leave out a direction of the scatter with eigenvalue l changes the rbf kernel matrix by about 2 gamma l:
// so 2 gamma l and an eigenvalue of the party's kernel matrix that is left out mean the same.
#pragma once

#include "choir/learn/oneshot_kpca/factors.h"
#include "choir/learn/oneshot_kpca/options.h"

namespace choir::oneshot_kpca {

struct SendingNeed {
  double product_numbers = 0;
  double distances_numbers = 0;
  double product_error = 0;  // largest eigenvalue left out
  double distances_error = 0;
  double beyond_columns = 0;  // parties whose product needs more vectors than they have columns
};

SendingNeed need_of(const KernelFactor& product, const DistanceFactor& distances, double gamma,
                    Index columns);

// As a matrix, which can be added up: 5 x 1.
Matrix packed(const SendingNeed& need);
SendingNeed unpacked_need(const Matrix& packed);

// The smallest eigenvalue of a scatter that matters as much as epsilon of a kernel matrix's first.
double scatter_threshold(double epsilon, double gamma, Index samples);

// Distances, too, if some party's product had more vectors than columns: distances are exact before.
Estimator cheaper_estimator(const SendingNeed& all);
Estimator better_estimator(const SendingNeed& all);

}  // namespace choir::oneshot_kpca
