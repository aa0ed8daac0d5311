// Whether clusters are to be relied on, from figures that the network added up, and the words about it.
//
//   const Assessment assessment = assess(findings, options);
//   assessment.weaknesses;                       // sentences; a run with any is not good
#pragma once

#include <string>
#include <vector>

#include "choir/learn/assessment/assessment.h"
#include "choir/learn/federated_kmeans/findings.h"
#include "choir/learn/federated_kmeans/options.h"

namespace choir::federated_kmeans {

// Below these an answer is called weak. Noise of 20 features has a silhouette of 0.04, digits have 0.17.
inline constexpr double weak_silhouette = 0.05;
inline constexpr double weak_share_of_features = 0.5;
inline constexpr double weak_share_of_kernel = 0.1;
// A number of clusters is found if its silhouette is larger by this than those of one cluster more and one
// fewer.
inline constexpr double clear_lead = 0.01;

Assessment assess(const Findings& findings, const Options& options);

// A line of a summary: "an embedding of 20 numbers per sample keeps 95.8% of the kernel's trace; silhouette
// 0.241".
std::string appraisal_words(const Findings& findings);
// Notes: why the embedding has this rank, and what each number of clusters was worth; empty if the user
// decided.
std::string rank_words(const Findings& findings, const Options& options);
std::string tried_words(const Findings& findings);

}  // namespace choir::federated_kmeans
