#include "choir/data/hdf5_turn.h"

#include <type_traits>

#include <hdf5.h>

namespace choir {
namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

static_assert(std::is_same_v<H5E_auto2_t, int (*)(long, void*)>);

Hdf5Turn::Hdf5Turn() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Turn::~Hdf5Turn() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

}  // namespace choir
