choir_test(attack/keys SOURCES keys_test.cpp ROOMS learn LIBRARIES attack_view)
