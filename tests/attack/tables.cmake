choir_test(attack/categories SOURCES categories_test.cpp ROOMS learn)
