# How choir's own targets are compiled, and the functions its CMakeLists.txt files are written with:
#   choir_room(kernel SOURCES ... ROOMS linalg LIBRARIES ...)   one room, one static library; NOT_INSTALLED: only here;
#                                                               PLAIN: computes nothing that takes time
#   choir_test(kernel/gram SOURCES ... ROOMS kernel)            tests of one file, run by ctest; one program a folder
#   choir_mpi_test(learn/a/mpi PROGRAM test_mpi SOURCES ... RANKS 1 2 4)   tests of one file, run by mpirun
#   choir_fuzzer(npy SOURCE ... ROOMS codec)                    one libFuzzer target with its corpus
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# ccache takes precompiled headers only if told that it need not see the macros in them. What one checkout has compiled, any
# other takes: paths below it are relative to ccache, and the folder itself does not count. What a file includes is taken
# from the compiler's list: to preprocess every file first, for comparison, is a tenth of a build from nothing.
find_program(CHOIR_CCACHE ccache)
if(CHOIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${CHOIR_CCACHE})
endif()

add_library(choir_flags INTERFACE)
target_compile_options(choir_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor
                                             -Woverloaded-virtual -Wimplicit-fallthrough)
# The presets compile several files of a room at once, so that what they share of Eigen is parsed and instantiated once.
# g++ then takes types of unnamed namespaces for ones in headers, and a neighbour's constant for one that is shadowed.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(choir_flags INTERFACE -Wno-subobject-linkage -Wshadow=local)
elseif(NOT CMAKE_UNITY_BUILD)
  target_compile_options(choir_flags INTERFACE -Wshadow)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(choir_flags INTERFACE -Wno-sign-conversion)  # which g++ does not count to -Wconversion in C++
  target_compile_options(choir_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache: the same headers, the same bytes
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ collects its garbage whenever 128 MB have come together, six times and more per file here.
  target_compile_options(choir_flags INTERFACE "SHELL:--param ggc-min-heapsize=524288")
endif()
if(CHOIR_WARNINGS_AS_ERRORS)
  target_compile_options(choir_flags INTERFACE -Werror)
endif()
if(CHOIR_SANITIZE)
  set(sanitize -fsanitize=${CHOIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CHOIR_SANITIZE MATCHES undefined AND NOT CHOIR_BUILD_FUZZERS)
    # On every access of every Eigen expression these nearly double the time to compile; the address sanitizer sees
    # most of what they see, and the fuzzers, which meet the hostile bytes, keep them.
    list(APPEND sanitize -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
  if(CHOIR_BUILD_FUZZERS)
    # clang 14 cannot write this check's data for the parts a coroutine is cut into.
    list(APPEND sanitize -fno-sanitize=function)
  endif()
  target_compile_options(choir_flags INTERFACE ${sanitize})
  target_link_options(choir_flags INTERFACE ${sanitize})
  set(CHOIR_SANITIZER_ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endif()
find_program(CHOIR_MOLD mold)
if(CHOIR_MOLD)
  target_link_options(choir_flags INTERFACE -fuse-ld=mold)
endif()

# What goes with precompiled headers.
function(choir_precompiled_options target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
    # Out of a precompiled header g++ no longer sees that std::string is the system's, and reports what it inlined from
    # there: "offset [32, 1048] is out of the bounds [0, 32]" for std::string(1024, 'u') + "x".
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict
                                             -Wno-maybe-uninitialized)
  endif()
endfunction()

# Half of a compiler's time goes into the libraries' headers. Rooms and tests take those that the target `owner` has had
# precompiled, if there is one. They know Eigen as `linalg` has it set up, so what stands below that room does without.
function(choir_reuse_headers target owner)
  set(rooms ${ARGN})
  list(REMOVE_ITEM rooms base codec crypto)
  if(TARGET ${owner} AND rooms)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    choir_precompiled_options(${target})
  endif()
endfunction()

# Rooms of words and files spend two thirds of the compiler's time on making them fast, which nobody notices.
set(CHOIR_PLAIN_OPTIONS "" CACHE STRING "Compiler options of rooms that compute nothing: -O0 for tests")
function(choir_plain target)
  if(CHOIR_PLAIN_OPTIONS)
    target_compile_options(${target} PRIVATE ${CHOIR_PLAIN_OPTIONS})
    choir_reuse_headers(${target} plain_room_headers ${ARGN})
  else()
    choir_reuse_headers(${target} room_headers ${ARGN})
  endif()
endfunction()

function(choir_room name)
  cmake_parse_arguments(ARG "NOT_INSTALLED;PLAIN" "" "SOURCES;ROOMS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  foreach(library ${ARG_LIBRARIES} ${ARG_PRIVATE_LIBRARIES})
    choir_find_library(${library})
    if(CHOIR_MISSING)
      message(FATAL_ERROR "${CHOIR_MISSING}; tools/install-deps installs it")
    endif()
  endforeach()
  add_library(choir_${name} STATIC ${ARG_SOURCES})
  add_library(choir::${name} ALIAS choir_${name})
  set_target_properties(choir_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(choir_${name} PUBLIC cxx_std_20)
  target_include_directories(choir_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_ROOMS PREPEND choir_ OUTPUT_VARIABLE rooms)
  target_link_libraries(choir_${name} PUBLIC ${rooms} ${ARG_LIBRARIES}
                                      PRIVATE ${ARG_PRIVATE_LIBRARIES} $<BUILD_INTERFACE:choir_flags>)
  if(ARG_PLAIN)
    choir_plain(choir_${name} ${ARG_ROOMS})
  else()
    choir_reuse_headers(choir_${name} room_headers ${ARG_ROOMS})
  endif()
  if(NOT ARG_NOT_INSTALLED)
    set_property(GLOBAL APPEND PROPERTY CHOIR_ROOMS ${name})
    choir_needs(${name} ROOMS ${ARG_ROOMS} LIBRARIES ${ARG_LIBRARIES} ${ARG_PRIVATE_LIBRARIES})
  endif()
endfunction()

# What is installed finds its libraries in the build tree as it does after installation. A path that CMake replaces when it
# installs ends in ':', an empty element, and so in the folder that the program happens to be called in.
function(choir_same_runpath target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
endfunction()

# Written down for choirConfig.cmake: who uses this room has to find these.
function(choir_needs name)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY CHOIR_ROOMS_OF_${name} ${ARG_ROOMS})
  set_property(GLOBAL APPEND PROPERTY CHOIR_LIBRARIES_OF_${name} ${ARG_LIBRARIES})
endfunction()

# Tests that take long are started first, so that nobody waits for one of them at the end: seconds on two cores.
function(choir_long_test name seconds)
  set_tests_properties(${name} PROPERTIES COST ${seconds})
endfunction()

# Tests are compiled once and run once: time spent on making them fast is lost. The rooms they test keep their -O2.
set(CHOIR_TEST_OPTIONS -O0)

# What several tests share: a part of their programs, so its code is position-independent as theirs is, and takes the same
# precompiled headers.
function(choir_test_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  list(TRANSFORM ARG_ROOMS PREPEND choir_ OUTPUT_VARIABLE rooms)
  target_link_libraries(${name} PUBLIC ${rooms} test_paths PRIVATE choir_flags GTest::gtest GTest::gmock)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIE ${CHOIR_TEST_OPTIONS})
  choir_reuse_headers(${name} test_headers ${ARG_ROOMS})
endfunction()

# The test's name mirrors the source it tests: kernel/gram is tests/kernel/gram_test.cpp. The tests of a folder are one
# program, of which ctest runs one file at a time: fewer programs to link, and what several of them share is compiled once.
# THREADS marks what also runs under the thread sanitizer; these are a program beside the other, so that nothing else is
# built for it. ALONE: a program of its own.
function(choir_test name)
  cmake_parse_arguments(ARG "THREADS;ALONE" "" "SOURCES;ROOMS;LIBRARIES;DEFINITIONS" ${ARGN})
  cmake_path(GET name PARENT_PATH folder)
  if(ARG_ALONE)
    set(folder ${name})
  endif()
  string(REPLACE "/" "_" target "test_${folder}")
  if(ARG_THREADS)
    string(APPEND target _threads)
  endif()
  choir_test_program(${target} ${ARG_ROOMS})

  list(TRANSFORM ARG_ROOMS PREPEND choir_ OUTPUT_VARIABLE rooms)
  target_link_libraries(${target} PRIVATE ${rooms} ${ARG_LIBRARIES})
  set(files "")
  get_target_property(there ${target} SOURCES)
  foreach(source ${ARG_SOURCES})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    if(NOT source IN_LIST there)
      target_sources(${target} PRIVATE ${source})
    endif()
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS ${ARG_DEFINITIONS})
    if(source MATCHES "_test.cpp$")
      cmake_path(GET source FILENAME file)
      list(APPEND files --file=${file})
    endif()
  endforeach()

  set(labels unit)
  if(ARG_THREADS)
    list(APPEND labels threads)
    add_dependencies(threaded_tests ${target})
  endif()
  add_test(NAME ${name} COMMAND ${target} ${files})
  # BLAS runs on one thread, as it does in the program: its own threads spin, and on a busy machine a test of one
  # second then takes a minute.
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 1800
                                           ENVIRONMENT "OPENBLAS_NUM_THREADS=1;${CHOIR_SANITIZER_ENVIRONMENT}")
endfunction()

function(choir_test_program target)
  if(NOT TARGET ${target})
    add_executable(${target})
    target_link_libraries(${target} PRIVATE test_main test_paths choir_flags GTest::gtest GTest::gmock)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
    target_compile_options(${target} PRIVATE ${CHOIR_TEST_OPTIONS})
  endif()
  get_target_property(reused ${target} PRECOMPILE_HEADERS_REUSE_FROM)
  if(NOT reused)
    choir_reuse_headers(${target} test_headers ${ARGN})
  endif()
endfunction()

# What ctest's environment must hold for mpirun: as root too, more ranks than cores, no ptrace between ranks. MPI keeps
# some memory until the end; leaks are looked for elsewhere.
set(CHOIR_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
                          OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0
                          OPENBLAS_NUM_THREADS=1)

# Tests of which every rank runs all: <name>_<ranks>. Those of a PROGRAM are compiled into it, which runs one file at a time.
# ARGUMENTS go to its main, tests/runtime/mpi/ranks_main.cpp.
function(choir_mpi_test name)
  cmake_parse_arguments(ARG "" "PROGRAM" "SOURCES;RANKS;LIBRARIES;ARGUMENTS" ${ARGN})
  set(target ${ARG_PROGRAM})
  if(NOT TARGET ${target})
    add_executable(${target} ${PROJECT_SOURCE_DIR}/tests/runtime/mpi/ranks_main.cpp ${PROJECT_SOURCE_DIR}/tests/by_file.cpp)
    target_link_libraries(${target} PRIVATE choir_mpi choir_flags GTest::gtest GTest::gmock MPI::MPI_CXX)
    target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_compile_options(${target} PRIVATE ${CHOIR_TEST_OPTIONS})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
    choir_reuse_headers(${target} test_headers mpi)
  endif()
  target_sources(${target} PRIVATE ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES})
  foreach(source ${ARG_SOURCES})
    list(APPEND ARG_ARGUMENTS --file=${source})
  endforeach()
  foreach(ranks ${ARG_RANKS})
    choir_mpi_run(${name}_${ranks} ${target} ${ranks} ${ARG_ARGUMENTS})
  endforeach()
endfunction()

# One more run of a test program that is already there.
function(choir_mpi_run name target ranks)
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe -n ${ranks} $<TARGET_FILE:${target}> ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 1800 RUN_SERIAL TRUE ENVIRONMENT "${CHOIR_MPI_ENVIRONMENT}")
endfunction()

# A fuzz target is one file with LLVMFuzzerTestOneInput. With clang it becomes fuzz_<name>. Otherwise it becomes a part of one
# program, which replays the stored corpus as an ordinary test: `replay <name> <folder>`.
function(choir_fuzzer name)
  cmake_parse_arguments(ARG "" "SOURCE" "ROOMS" ${ARGN})
  list(TRANSFORM ARG_ROOMS PREPEND choir_ OUTPUT_VARIABLE rooms)
  set(corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
  if(CHOIR_BUILD_FUZZERS)
    add_executable(fuzz_${name} ${ARG_SOURCE})
    target_link_libraries(fuzz_${name} PRIVATE ${rooms} choir_flags)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    if(NOT TARGET fuzzers)
      add_custom_target(fuzzers)
    endif()
    add_dependencies(fuzzers fuzz_${name})
  else()
    if(NOT TARGET replay)
      add_executable(replay ${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.cpp)
      target_link_libraries(replay PRIVATE choir_flags GTest::gtest GTest::gmock)
      target_include_directories(replay PRIVATE ${PROJECT_SOURCE_DIR})
      target_compile_options(replay PRIVATE ${CHOIR_TEST_OPTIONS})
      choir_reuse_headers(replay test_headers runtime)
    endif()
    cmake_path(GET ARG_SOURCE FILENAME CHOIR_FUZZER_FILE)
    set(CHOIR_FUZZER ${name})
    configure_file(${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/replay_${name}.cpp @ONLY)
    target_sources(replay PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/replay_${name}.cpp)
    target_link_libraries(replay PRIVATE ${rooms})
    add_test(NAME fuzz/${name}_corpus COMMAND replay ${name} ${corpus})
    set_tests_properties(fuzz/${name}_corpus PROPERTIES LABELS "unit" TIMEOUT 1800)
  endif()
endfunction()
