choir_fuzzer(npy SOURCE npy_fuzzer.cpp ROOMS codec)
choir_fuzzer(archive SOURCE archive_fuzzer.cpp ROOMS codec)
