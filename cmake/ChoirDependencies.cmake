# Everything choir links against. Used by this build and, installed beside choirConfig.cmake, by
# find_package(choir): both must see the same targets.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(spectra REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET GLOBAL openblas)
pkg_check_modules(lapacke REQUIRED IMPORTED_TARGET GLOBAL lapacke)
pkg_check_modules(sleef REQUIRED IMPORTED_TARGET GLOBAL sleef)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET GLOBAL libzip)
pkg_check_modules(libcrypto REQUIRED IMPORTED_TARGET GLOBAL libcrypto)
pkg_check_modules(libsodium REQUIRED IMPORTED_TARGET GLOBAL libsodium)
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-serial)
# liblinear comes without a file that CMake or pkg-config could read.
find_path(CHOIR_LIBLINEAR_INCLUDE linear.h REQUIRED)
find_library(CHOIR_LIBLINEAR_LIBRARY linear REQUIRED)
mark_as_advanced(CHOIR_LIBLINEAR_INCLUDE CHOIR_LIBLINEAR_LIBRARY)
if(NOT TARGET liblinear::liblinear)
  add_library(liblinear::liblinear UNKNOWN IMPORTED GLOBAL)
  set_target_properties(liblinear::liblinear PROPERTIES IMPORTED_LOCATION "${CHOIR_LIBLINEAR_LIBRARY}"
                                                        INTERFACE_INCLUDE_DIRECTORIES "${CHOIR_LIBLINEAR_INCLUDE}")
endif()
# Optional: the engine for MPI is built if it is there.
find_package(MPI COMPONENTS CXX)
