function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix} ${WORK}/consumer)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# The lines of README.md under "The library", up to the end of their block.
file(READ ${ROOT}/README.md readme)
string(REGEX MATCH "\n## The library\n\n```cpp\n([^`]*)```" found "${readme}")
if(NOT found)
  message(FATAL_ERROR "README.md has no C++ block under 'The library'")
endif()
file(WRITE ${WORK}/readme_lines.h "${CMAKE_MATCH_1}")
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${WORK}/consumer -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=-I${WORK})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${CMAKE_COMMAND} -E chdir ${ROOT} ${WORK}/consumer/consumer)
run(${prefix}/bin/choir version)

# Two rooms, on a machine that lacks what the others need.
function(build_kernel_consumer library)
  set(build ${WORK}/kernel_consumer_${library})
  file(REMOVE_RECURSE ${build})
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/../kernel_consumer -B ${build} -DCMAKE_PREFIX_PATH=${prefix}
      -DCMAKE_CXX_COMPILER=${CXX} -DLIBRARY=${library} -DPKG_CONFIG_EXECUTABLE=${SOURCE}/../pkg-config-without
      -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DCMAKE_DISABLE_FIND_PACKAGE_FastFloat=ON)
  run(${CMAKE_COMMAND} --build ${build})
  run(${build}/kernel_consumer)
endfunction()
build_kernel_consumer(static)
if(SHARED)
  build_kernel_consumer(shared)
  # The same by pkg-config, without CMake.
  file(GLOB_RECURSE packages ${prefix}/choir-core.pc)
  get_filename_component(packages ${packages} DIRECTORY)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${packages} sh -c
      "${CXX} -std=c++20 ${SOURCE}/../kernel_consumer/main.cpp -o ${WORK}/by_pkg_config $(pkg-config --cflags --libs choir-core)")
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${packages}/.. ${WORK}/by_pkg_config)
endif()

function(build_example name)
  file(REMOVE_RECURSE ${WORK}/${name})
  run(${CMAKE_COMMAND} -G Ninja -S ${ROOT}/examples/${name} -B ${WORK}/${name} -DCMAKE_PREFIX_PATH=${prefix}
      -DCMAKE_CXX_COMPILER=${CXX})
  run(${CMAKE_COMMAND} --build ${WORK}/${name})
endfunction()

# Numbers that another processor may change a little are for Python to compare.
build_example(drift)
run(${CMAKE_COMMAND} -E chdir ${ROOT}/tests/examples
    ${CMAKE_COMMAND} -E env CHOIR_ROOT=${ROOT} DRIFT=${WORK}/drift/drift ${PYTHON} -B -m unittest -q drift_test)

# The example prints on every engine what its README says.
build_example(average)
file(STRINGS ${ROOT}/examples/average/README.md expected REGEX "^    (19.500000|16000 messages)")
list(TRANSFORM expected STRIP)
function(compare)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output)
  string(STRIP "${output}" output)
  string(REGEX REPLACE " *\n" ";" lines "${output}")
  if(NOT status EQUAL 0 OR NOT "${lines}" STREQUAL "${expected}")
    message(FATAL_ERROR "${ARGN} printed\n${output}\nand not\n${expected}")
  endif()
endfunction()
compare(${WORK}/average/average)
compare(${WORK}/average/average sim)
if(MPI)
  compare(${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
          mpirun --oversubscribe -n 4 ${WORK}/average/average mpi)
endif()
