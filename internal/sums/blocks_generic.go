//go:build !amd64

package sums

const able = false

func blocks(a, b *lanes, p, q *byte, n int) { panic("no processor does this") }
