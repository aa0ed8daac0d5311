choir_test(attack/gossip SOURCES gossip_test.cpp ROOMS learn engines LIBRARIES attack_view attack_solving)
