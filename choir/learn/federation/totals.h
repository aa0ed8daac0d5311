// The sum of what devices answer to one question, in the open or masked. README.md has the protocol.
#pragma once

#include <string>
#include <vector>

#include "choir/base/error.h"
#include "choir/learn/federation/correspondence.h"
#include "choir/learn/federation/sample_counts.h"
#include "choir/runtime/blocks/secure_sum/partners.h"

namespace choir {

struct Question {
  Message content;
  Note note = Note::question;  // or count
  AnswerShape shape;
  std::vector<NodeId> asked;  // ascending
  double samples = 0;         // that these have, or more
};

// What the server knows of devices that mask their answers.
struct MaskedGroup {
  SampleCounts counts = {};
  MaskPartners partners = {};
  Index devices = 0;  // that have said who they are
};

Question count_question(std::vector<NodeId> asked);

// Of category PeerLost: more devices might have to be asked.
struct TooFewAnswers : Error {
  explicit TooFewAnswers(const std::string& words) : Error(ErrorCategory::PeerLost, words) {}
};

// Throw TooFewAnswers if fewer than min_devices answer, or such with too few samples, and Error(BadData) for
// answers of another shape.
Task<Total> plain_total(Correspondence& post, Question question);
// Looks up who is known to have enough samples, and notes what is learned.
Task<Total> masked_total(Correspondence& post, MaskedGroup& group, Question question);

}  // namespace choir
