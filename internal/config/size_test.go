package config

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"4096": 4096, "1KB": 1024, "1 kb": 1024, "1.5GB": 1610612736, "20 GiB": 21474836480, "2TB": 2199023255552, "7b": 7, "500MB": 524288000,
		"": 0, "GB": 0, "0": 0, "0GB": 0, "-1GB": 0, "5XB": 0, "5 GB of it": 0, "nan": 0, "inf": 0, "9999999TB": 0, "1.2.3MB": 0,
	} {
		if got, err := Size(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
}
