// What nodes tell each other in a round. Whatever comes first in a round carries the words of StopAgreement.
#pragma once

#include <span>
#include <vector>

#include "choir/learn/online_kernel/expansion.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"

namespace choir {

// Diffusion: the whole function. Atoms are samples: kind raw_samples.
Message function_message(const Expansion& f, const StopWords& words);
// Lives as long as the message. Throws Error(BadData) naming the sender for what cannot be such a function.
ExpansionView function_in(const Received& received, Index features, Index outputs);

// Penalty and symmetric: the batch, M x B; symmetric appends what its owner's function says of it, B x K.
Message batch_message(const Samples& batch, const StopWords& words);
Eigen::Map<const Matrix> batch_in(const Received& received, Index features);
Eigen::Map<const Matrix> scores_in(const Received& received, Index outputs);

// What a node's function says of the receiver's batch, B x K: kind coefficients.
Message values_message(Matrix values);
Eigen::Map<const Matrix> values_in(const Received& received, Index samples, Index outputs);

std::vector<StopWords> words_of(const Inbox& inbox);

}  // namespace choir
