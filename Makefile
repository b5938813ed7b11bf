# A thin front for people in a hurry; the build itself is CMake (see CMakePresets.json).
#
#   make          build/sunder
#   make demo     a bowl drops and breaks: builds, runs, films, checks, says where everything is
#   make test     every test; the fast ones again under the address and undefined-behaviour sanitizers; a few seconds
#                 of every fuzz target
#   make test-blender   tests of the Blender add-on, in Blender without a window; installs Debian's Blender (440 MB)
#   make blender-addon  build/sunder_import.zip, for Blender to install (blender/README.md)
#   make test-readers  what sunder exports, read by programs nobody here wrote (needs node and npm, and the network once)
#   make fuzz     ten minutes of every fuzz target (FUZZ_SECONDS=600), two at a time
#   make bench    how fast the solver is on this machine, as a table
#   make docs     docs/scene-reference.md from the code
#   make drops    ten models dropped at three sizes: docs/drops.md (an hour or more)
#   make gallery  the paper's scenes, three seeds each and one at half the edge: docs/gallery.md (an hour or more)
#   make pictures the pictures of the docs, at final quality (minutes)
#   make format   clang-format everything
#   make lint     clang-format and clang-tidy, changing nothing
#   make clean    remove the build folders and out/

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
SOURCES = $(shell git ls-files --cached --others --exclude-standard 'src/*.h' 'src/*.cpp' 'bench/*.h' 'bench/*.cpp' \
            'tests/*.h' 'tests/*.cpp' 'pictures/*.cpp')

.PHONY: all demo test test-readers test-blender blender-addon fuzz bench docs gallery drops pictures format lint clean packages

all: packages
	@cmake --preset release >build.log 2>&1 || { cat build.log; exit 1; }
	@rm -f build.log
	@cmake --build --preset release -j $(JOBS) --target sunder

packages:
	@tools/install-packages

demo: all
	@build/sunder run bowl-4 -o out/demo --render
	@build/sunder check out/demo
	@echo
	@build/sunder plot out/demo
	@echo
	@echo "Watch out/demo/film.mp4, or open out/demo/bowl-4.pvd in ParaView; out/demo/plots.svg shows the numbers."
	@echo "More: build/sunder gallery, build/sunder run NAME, build/sunder new my-scene"

test: all
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -j $(JOBS)
	@tools/install-packages tools/packages-asan.txt
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)
	@JOBS=$(JOBS) tests/fuzz/run 5

test-blender: all
	@tools/install-packages tools/packages-blender.txt
	@blender/tests/run

blender-addon:
	@blender/make-addon

test-readers: all
	@command -v node >/dev/null && command -v npm >/dev/null || tools/install-packages tools/packages-readers.txt
	@cd tests/readers && npm ci --no-audit --no-fund --loglevel error >/dev/null
	@/usr/bin/python3 tests/readers/check_exports.py build/sunder

# Goes on from what earlier runs have found (build-asan/corpus).
fuzz: packages
	@tools/install-packages tools/packages-asan.txt
	@cmake --preset asan >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@KEEP=1 JOBS=2 tests/fuzz/run $(FUZZ_SECONDS)

bench: all
	@tools/install-packages tools/packages-bench.txt
	@cmake --preset release -DSUNDER_BENCH=ON >/dev/null
	@cmake --build --preset release -j $(JOBS) --target sunder_bench sunder_fracture_bench \
	  sunder_contact_bench sunder_overlap_bench sunder_lattice_bench sunder_lattice_bars
	@build/sunder_bench docs/performance.md
	@build/sunder_fracture_bench
	@build/sunder_contact_bench
	@build/sunder_overlap_bench
	@build/sunder_lattice_bench
	@build/sunder_lattice_bars

docs: all
	@build/sunder reference >docs/scene-reference.md

gallery: all
	@gallery/make-gallery

drops: all
	@gallery/make-drops

pictures: all
	@cmake --preset release -DSUNDER_PICTURES=ON >/dev/null
	@cmake --build --preset release -j $(JOBS) --target sunder_broken_runs
	@pictures/make-pictures

format:
	@tools/install-packages tools/packages-lint.txt
	@clang-format -i $(SOURCES)

lint: packages
	@tools/install-packages tools/packages-lint.txt
	@tools/install-packages tools/packages-asan.txt
	@tools/install-packages tools/packages-bench.txt
	@clang-format --dry-run --Werror $(SOURCES)
	@cmake --preset lint >/dev/null
	@printf '%s\n' $(filter %.cpp,$(SOURCES)) | xargs -n 1 -P $(JOBS) clang-tidy -p build-lint --quiet

clean:
	@rm -rf build build-dev build-asan build-tsan build-lint out
