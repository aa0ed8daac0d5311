choir_fuzzer(envelope SOURCE ${CMAKE_CURRENT_LIST_DIR}/envelope_fuzzer.cpp ROOMS learn)
choir_fuzzer(question SOURCE ${CMAKE_CURRENT_LIST_DIR}/question_fuzzer.cpp ROOMS learn)
