#include "choir/runtime/contract.h"

namespace choir {

ChoiceNames<LostPeers> choice_names(LostPeers) {
  static constexpr std::array<ChoiceName<LostPeers>, 2> names = {
      {{LostPeers::fail, "fail"}, {LostPeers::proceed, "continue"}}};
  return names;
}

}  // namespace choir
