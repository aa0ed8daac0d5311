// Which of the parts that can be left out are in this build.
#pragma once

#include <string>
#include <vector>

namespace choir {

// Of "hdf5", "mpi", "page", those that are there, in this order.
std::vector<std::string> built_in_parts();

}  // namespace choir
