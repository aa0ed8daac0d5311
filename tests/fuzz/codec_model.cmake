choir_fuzzer(npy SOURCE npy_fuzzer.cpp ROOMS codec)
choir_fuzzer(archive SOURCE archive_fuzzer.cpp ROOMS codec)
choir_fuzzer(model SOURCE model_fuzzer.cpp ROOMS model)
