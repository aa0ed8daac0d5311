#include "choir/runtime/contract.h"

#include "choir/base/error.h"

namespace choir {

LostPeers parse_lost_peers(std::string_view text) {
  if (text == "fail") return LostPeers::fail;
  if (text == "continue") return LostPeers::proceed;
  fail(ErrorCategory::InvalidArgument, "lost-peers is '{}'; it must be fail or continue", text);
}

}  // namespace choir
