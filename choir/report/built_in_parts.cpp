#include "choir/report/built_in_parts.h"

namespace choir {

std::vector<std::string> built_in_parts() {
  std::vector<std::string> parts;
#ifdef CHOIR_WITH_HDF5
  parts.emplace_back("hdf5");
#endif
#ifdef CHOIR_WITH_MPI
  parts.emplace_back("mpi");
#endif
#ifdef CHOIR_WITH_PAGE
  parts.emplace_back("page");
#endif
  return parts;
}

}  // namespace choir
