# The commands people type. Each installs what it needs (Debian packages) before it starts.
#
#   make demo         build, run the main job on the digits in the repository, show a table
#   make test         every test, warnings are errors
#   make sanitize     the same tests under asan+ubsan, the threaded ones under tsan, each fuzzer for seconds
#   make build        the program: build/choir
#   make bench        ratios against numpy and scikit-learn, measured in one run
#   make bench-quality  how good the answers are, and whether choir knows: docs/quality*.md, up to 100 minutes
#   make experiments  the long ones
#   make docs         the reference of the public headers: build/docs/html
#   make package      a Debian package of what make install lays down
#   make install      to PREFIX (/usr/local)
#   make format       clang-format over the tree;  make tidy: clang-tidy

SHELL := /bin/sh
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 5
DEMO_RUN ?= runs/demo

.PHONY: build demo test sanitize fuzz bench bench-quality experiments docs package install format tidy clean

build:
	tools/install-deps build
	cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build --preset release --parallel $(JOBS)

demo: build
	tools/demo $(DEMO_RUN)

test:
	tools/install-deps test
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)
	env $$(tools/blas-core) ctest --preset dev --parallel $(JOBS)

sanitize:
	tools/install-deps test fuzz
	cmake --preset asan
	cmake --build --preset asan --parallel $(JOBS)
	env $$(tools/blas-core) ctest --preset asan --parallel $(JOBS)
	cmake --preset tsan
	cmake --build --preset tsan --parallel $(JOBS) --target threaded_tests
	env $$(tools/blas-core) ctest --preset tsan --parallel $(JOBS)
	$(MAKE) fuzz

# Each fuzzer for FUZZ_SECONDS on its stored corpus; make fuzz FUZZ_SECONDS=60 for the long one.
fuzz:
	tools/install-deps fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS) --target fuzzers
	tools/fuzz build-fuzz $(FUZZ_SECONDS)

bench:
	tools/install-deps bench
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS)
	bench/run build-bench

# Every cell of bench/quality against numpy and scikit-learn; docs/quality*.md are written from them.
bench-quality: build
	tools/install-deps peers
	bench/quality/run --jobs $(JOBS) --docs docs
	bench/quality/run-streams --jobs $(JOBS) --docs docs
	bench/quality/run-clusters --jobs $(JOBS) --docs docs

experiments:
	tools/install-deps experiments
	cmake --preset release -DCHOIR_EXPERIMENTS=ON
	cmake --build --preset release --parallel $(JOBS)
	tools/experiments runs/experiments

docs:
	tools/install-deps docs
	tools/reference

# One choir_0.2.0_amd64.deb in build/.
package: build
	tools/install-deps package
	cd build && cpack -G DEB

install: build
	cmake --install build

format:
	tools/install-deps format
	git ls-files '*.h' '*.cpp' | xargs clang-format-14 -i

tidy:
	tools/install-deps test format
	cmake --preset dev
	git ls-files 'choir/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy-14 -p build-dev --quiet

clean:
	rm -rf build build-dev build-asan build-tsan build-fuzz build-bench
