// Who a process is, told to others on the same machine so that they can see at once that it has died.
//
//   const ProcessIdentity mine = this_process();             // plain bytes, sent as they are
//   if (can_watch(mine, theirs) && has_died(theirs)) ...
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <string.h>

namespace choir {

struct ProcessIdentity {
  std::array<char, 64> host{};        // its name, for people
  std::array<char, 48> machine{};     // the same for all processes that share memory
  std::array<char, 48> namespace_{};  // ids mean something within it only
  std::int64_t id = 0;
  std::uint64_t started = 0;  // ids are used again; the pair is not

  // As far as it goes: another process may have left out the zero at its end.
  std::string_view host_name() const { return {host.data(), ::strnlen(host.data(), host.size())}; }
};

ProcessIdentity this_process();

bool same_machine(const ProcessIdentity& a, const ProcessIdentity& b);
// Whether has_died can tell: containers of one machine do not see each other's processes.
bool can_watch(const ProcessIdentity& mine, const ProcessIdentity& other);
// True also for a zombie, which nobody has waited for yet.
bool has_died(const ProcessIdentity& process);

}  // namespace choir
