choir_fuzzer(edge_list SOURCE ${CMAKE_CURRENT_LIST_DIR}/edge_list_fuzzer.cpp ROOMS graph)
choir_fuzzer(topology_spec SOURCE ${CMAKE_CURRENT_LIST_DIR}/topology_spec_fuzzer.cpp ROOMS graph)
