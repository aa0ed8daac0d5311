choir_fuzzer(message SOURCE ${CMAKE_CURRENT_LIST_DIR}/message_fuzzer.cpp ROOMS runtime)
choir_fuzzer(sim_options SOURCE ${CMAKE_CURRENT_LIST_DIR}/sim_options_fuzzer.cpp ROOMS runtime)
