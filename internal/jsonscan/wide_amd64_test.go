package jsonscan

// narrowly runs a test without the widest vectors, and with them where the processor has
// them.
func narrowly(test func()) {
	was := wide
	defer func() { wide = was }()
	for _, wide = range []bool{false, was} {
		test()
	}
}
