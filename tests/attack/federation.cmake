choir_test_library(attack_rogue_server SOURCES rogue_server.cpp ROOMS learn)
choir_test(attack/federation SOURCES federation_test.cpp ROOMS learn LIBRARIES attack_rogue_server attack_view)
