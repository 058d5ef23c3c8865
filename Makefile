# make test runs everything that CI runs. The rest are its parts, and make bench,
# which measures: see doc/performance.md.

GO      ?= go
FUZZ    ?= 10000x
STATIC   = CGO_ENABLED=0

BENCH_SIZE  ?= 200m
BENCH_AGENT ?= claude
BENCH_DIR   ?= .bench
BENCH_RUNS  ?= 5
BENCH_TREE   = $(BENCH_DIR)/$(BENCH_AGENT)-$(BENCH_SIZE)

.PHONY: build test check unit race fuzz cross bench bench-go fmt

build:
	$(STATIC) $(GO) build -trimpath -o bin/seshat ./cmd/seshat

test: check unit race fuzz cross

check:
	@unformatted=$$(gofmt -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(STATIC) $(GO) vet ./...
	$(STATIC) $(GO) tool staticcheck ./...
	$(STATIC) $(GO) mod verify

unit:
	$(STATIC) $(GO) test -count=1 ./...

# The race detector alone needs cgo, and so a C compiler. It looks into no program that a
# test starts, which is all that the black-box tests and those of the benchmark do.
race:
	@sh .ci/compiler
	CGO_ENABLED=1 $(GO) test -count=1 -race -short -timeout 20m $$($(GO) list ./... | grep -v -e /internal/blackbox -e /internal/bench/)

# A short run of every fuzz test.
fuzz:
	@GO="$(GO)" FUZZ="$(FUZZ)" sh .ci/fuzz

cross:
	@set -e; for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; \
		$(STATIC) GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null ./cmd/seshat; \
		$(STATIC) GOOS=$$os GOARCH=$$arch $(GO) vet ./...; \
	done; done

# Times the program on a tree of BENCH_SIZE (200m, 1g, 7g) of BENCH_AGENT (claude,
# gemini), which is written once. Fails on a wrong count, never on a time.
bench: $(BENCH_TREE).json
	$(STATIC) $(GO) build -trimpath -o $(BENCH_DIR)/bin/ ./cmd/seshat ./internal/bench/cmd/bench
	$(BENCH_DIR)/bin/bench -seshat $(BENCH_DIR)/bin/seshat -home $(BENCH_TREE) -n $(BENCH_RUNS)

$(BENCH_TREE).json:
	$(STATIC) $(GO) build -o $(BENCH_DIR)/bin/ ./internal/bench/cmd/corpus
	rm -rf $(BENCH_TREE)
	$(BENCH_DIR)/bin/corpus -agent $(BENCH_AGENT) -size $(BENCH_SIZE) $(BENCH_TREE) > $@.new
	mv $@.new $@

# Benchmarks of the hot loops. Keep what it prints, and compare two with
# go run golang.org/x/perf/cmd/benchstat@latest old.txt new.txt
bench-go:
	@mkdir -p $(BENCH_DIR)
	$(STATIC) $(GO) test -run '^$$' -bench . -benchmem -count 8 ./internal/lines ./internal/jsonscan ./internal/needle ./internal/search ./agent/claude > $(BENCH_DIR)/new.txt || { cat $(BENCH_DIR)/new.txt; exit 1; }
	@cat $(BENCH_DIR)/new.txt

fmt:
	gofmt -w .
