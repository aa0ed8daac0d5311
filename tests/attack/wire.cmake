# Values that no samples have, and a process that speaks in another's name.
choir_test(attack/poison SOURCES poison_test.cpp ROOMS learn metrics LIBRARIES test_gossip_toy)
if(TARGET choir_mpi AND NOT CHOIR_SANITIZE)
  add_library(lying_rank MODULE lying_rank.cpp)
  target_link_libraries(lying_rank PRIVATE choir_flags MPI::MPI_CXX)
  target_compile_definitions(lying_rank PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  add_test(NAME attack/lying_rank
           COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/cli:${CMAKE_CURRENT_SOURCE_DIR}
                   CHOIR=$<TARGET_FILE:choir> CHOIR_ROOT=${PROJECT_SOURCE_DIR} LYING_RANK_LIBRARY=$<TARGET_FILE:lying_rank>
                   ${CHOIR_PYTHON} -B -m unittest -q lying_rank_test)
  set_tests_properties(attack/lying_rank PROPERTIES LABELS unit TIMEOUT 1800 RUN_SERIAL TRUE
                                                    ENVIRONMENT "${CHOIR_MPI_ENVIRONMENT}")
  choir_long_test(attack/lying_rank 6)
endif()
