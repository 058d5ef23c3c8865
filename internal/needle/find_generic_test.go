//go:build !amd64

package needle

func narrowly(test func()) { test() }
