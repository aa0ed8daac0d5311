choir_test_library(attack_view SOURCES view.cpp ROOMS runtime)
choir_test(attack/view SOURCES view_test.cpp ROOMS runtime engines LIBRARIES attack_view)
