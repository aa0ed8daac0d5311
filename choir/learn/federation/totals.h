// The sum of what devices answer to one question, in the open or masked. README.md has the protocol.
#pragma once

#include <vector>

#include "choir/learn/federation/correspondence.h"

namespace choir {

struct Question {
  Message content;
  Note note = Note::question;  // or count
  AnswerShape shape;
  std::vector<NodeId> asked;  // ascending
  double samples = 0;         // that these have, or more
};

// Throw Error(PeerLost) if fewer than min_devices answer, Error(BadData) for answers of another shape.
Task<Total> plain_total(Correspondence& post, Question question);
Task<Total> masked_total(Correspondence& post, Question question);

}  // namespace choir
