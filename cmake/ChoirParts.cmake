# Parts whose library is missing are left out, and said to be.
include_guard(GLOBAL)
function(choir_optional_part part target)
  if(${part})
    choir_find_library(${target})
    if(CHOIR_MISSING)
      message(STATUS "${part} is left out: ${target} is not there")
      set(${part} OFF PARENT_SCOPE)
    endif()
  endif()
endfunction()

choir_optional_part(CHOIR_HDF5 PkgConfig::hdf5)
choir_optional_part(CHOIR_EXPERIMENTS liblinear::liblinear)
# Not in the function above: the tests ask for mpirun.
if(CHOIR_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  choir_optional_part(CHOIR_MPI MPI::MPI_CXX)
endif()
