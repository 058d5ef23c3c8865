//go:build !amd64

package jsonscan

func narrowly(test func()) { test() }
