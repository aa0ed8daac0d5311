choir_test_library(attack_solving SOURCES solving.cpp ROOMS learn)
foreach(name sums_of_few landmark_sweep public_noise leverage_dips)
  choir_test(attack/${name} SOURCES ${name}_test.cpp ROOMS learn engines LIBRARIES attack_view attack_solving)
endforeach()
