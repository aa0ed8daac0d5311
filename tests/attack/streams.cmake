choir_test(attack/stream_totals SOURCES stream_totals_test.cpp ROOMS learn engines LIBRARIES attack_view attack_solving test_online_toy)
