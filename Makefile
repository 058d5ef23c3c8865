# make test runs everything that CI runs. The rest are its parts.

GO      ?= go
FUZZ    ?= 10000x
STATIC   = CGO_ENABLED=0

.PHONY: build test check unit race fuzz cross fmt

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

# The race detector alone needs cgo, and so a C compiler.
race:
	@sh .ci/compiler
	CGO_ENABLED=1 $(GO) test -count=1 -race -short -timeout 20m ./...

# A short run of every fuzz test.
fuzz:
	@GO="$(GO)" FUZZ="$(FUZZ)" sh .ci/fuzz

cross:
	@set -e; for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; \
		$(STATIC) GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null ./cmd/seshat; \
		$(STATIC) GOOS=$$os GOARCH=$$arch $(GO) vet ./...; \
	done; done

fmt:
	gofmt -w .
