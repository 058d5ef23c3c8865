package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Archive is what the config says of the archive.
type Archive struct {
	MaxSize string `toml:"max_size"` // it grows no larger than that, such as "20GB"
}

// Limit gives the largest size of the archive in bytes; 0 where the config names none.
func (a Archive) Limit() (int64, error) {
	if a.MaxSize == "" {
		return 0, nil
	}
	n, err := Size(a.MaxSize)
	if err != nil {
		return 0, fmt.Errorf("max_size = %q is no size: write a number of bytes, or one with KB, MB, GB or TB", a.MaxSize)
	}
	return n, nil
}

// units of a size. They are powers of 1024, as seshat prints sizes.
var units = map[string]float64{"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}

// Size reads a size as people write it: 500MB, 1.5 GB, 4096.
func Size(text string) (int64, error) {
	text = strings.TrimSpace(text)
	at := strings.LastIndexAny(text, "0123456789.") + 1
	unit, known := units[strings.ToUpper(strings.TrimSpace(text[at:]))]
	n, err := strconv.ParseFloat(text[:at], 64)
	if err != nil || !known || !(n*unit >= 1) || n*unit >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is no size", text)
	}
	return int64(n * unit), nil
}
