// What nodes tell each other in a round. Whatever comes first in a round carries the words of StopAgreement.
#pragma once

#include <span>
#include <vector>

#include "choir/learn/online_kernel/common_atoms.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"

namespace choir::online_kernel {

// Diffusion: the whole function, its atoms as the two nodes can tell them briefly. Atoms are samples: kind
// raw_samples.
// `class_counts`: K, empty for values.
Message function_message(const PackedAtoms& atoms, const Matrix& weights, const Vector& class_counts,
                         const StopWords& words);
// Throw Error(BadData) naming the sender for what cannot be such a function.
Samples atoms_in(const Received& received, const CommonAtoms& common, Index features);
Eigen::Map<const Matrix> weights_in(const Received& received, Index atoms, Index outputs);
Vector class_counts_in(const Received& received, Index classes);

// Penalty and symmetric: the batch, M x B; symmetric appends what its owner's function says of it, B x K.
Message batch_message(const Samples& batch, const StopWords& words);
Eigen::Map<const Matrix> batch_in(const Received& received, Index features);
Eigen::Map<const Matrix> scores_in(const Received& received, Index outputs);

// What a node's function says of the receiver's batch, B x K: kind coefficients.
Message values_message(Matrix values);
Eigen::Map<const Matrix> values_in(const Received& received, Index samples, Index outputs);

std::vector<StopWords> words_of(const Inbox& inbox);

}  // namespace choir::online_kernel
