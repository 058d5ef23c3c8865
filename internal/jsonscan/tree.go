package jsonscan

import (
	"bytes"
	"iter"
)

// Tree is a value taken apart in one pass, down to some depth, for callers that look
// at most of it. It can be used for one value after the other.
type Tree struct {
	b              []byte
	depth          int
	nodes          []node // in the order of the text: each before what is in it
	up             []int  // nodes that wait to be closed
	keyFrom, keyTo int    // of the last key
	end            int    // of the value
}

type node struct {
	keyFrom, keyTo int
	start, end     int
	after          int // the node behind it and all that is in it
}

// Node is one value of a tree, or a value that is taken apart when it is looked at;
// the zero Node is an absent one. It is valid as long as its tree is not used for
// another value.
type Node struct {
	tree *Tree
	at   int
	val  Value // where there is no tree
}

// NodeOf gives a value as a node.
func NodeOf(v Value) Node { return Node{val: v} }

// crowd bounds how many nodes a tree has: a value with more is taken apart as it is
// looked at.
const crowd = 1 << 16

// Parse takes the value at the start of b apart, as First finds it. Values that are
// nested more than depth deep are not taken apart.
func (t *Tree) Parse(b []byte, depth int) (v Value, rest []byte, strict, ok bool) {
	t.b, t.depth, t.nodes, t.up = b, depth, t.nodes[:0], t.up[:0]
	t.keyFrom, t.keyTo = 0, 0
	s := scan{b: b, strict: true, tree: t}
	i := space(b, 0)
	end := s.value(i)
	if t.end = end; end < 0 {
		t.nodes = t.nodes[:0]
		return nil, b, false, false
	}
	return b[i:end:end], b[end:], s.strict, true
}

// Root gives the whole value.
func (t *Tree) Root() Node {
	switch {
	case len(t.nodes) == 0:
		return Node{}
	case len(t.nodes) >= crowd:
		return NodeOf(t.b[t.nodes[0].start:t.end:t.end])
	}
	return Node{tree: t}
}

// takes reports whether a value so deep becomes a node.
func (t *Tree) takes(depth int) bool { return depth <= t.depth && len(t.nodes) < crowd }

func (t *Tree) opened(depth, start int) {
	if !t.takes(depth) {
		return
	}
	t.up = append(t.up, len(t.nodes))
	t.nodes = append(t.nodes, node{keyFrom: t.keyFrom, keyTo: t.keyTo, start: start})
	t.keyFrom, t.keyTo = 0, 0
}

func (t *Tree) closed(depth, end int) {
	if !t.takes(depth) {
		return
	}
	n := &t.nodes[t.up[len(t.up)-1]]
	t.up = t.up[:len(t.up)-1]
	n.end, n.after = end, len(t.nodes)
}

func (t *Tree) plain(depth, start, end int) {
	if !t.takes(depth) {
		return
	}
	t.nodes = append(t.nodes, node{t.keyFrom, t.keyTo, start, end, len(t.nodes) + 1})
	t.keyFrom, t.keyTo = 0, 0
}

// Value gives the text of the value.
func (n Node) Value() Value {
	if n.tree == nil {
		return n.val
	}
	x := &n.tree.nodes[n.at]
	return n.tree.b[x.start:x.end:x.end]
}

// Kind tells the type of the value.
func (n Node) Kind() Kind { return n.Value().Kind() }

// Text gives the decoded string, or "" when the value is not a string.
func (n Node) Text() string { return n.Value().Text() }

// True reports whether the value is the literal true.
func (n Node) True() bool { return n.Value().True() }

// apart reports whether the tree has what is in the value.
func (n Node) apart() bool { return n.tree != nil && n.tree.nodes[n.at].after > n.at+1 }

// Members yields the keys and the values of an object in order, repeated keys
// included. A key is valid as long as the value is.
func (n Node) Members() iter.Seq2[[]byte, Node] {
	return func(yield func([]byte, Node) bool) {
		switch {
		case n.Kind() != Object:
		case n.apart():
			nodes := n.tree.nodes
			for at, after := n.at+1, nodes[n.at].after; at < after; at = nodes[at].after {
				if !yield(plainKey(n.tree.b[nodes[at].keyFrom:nodes[at].keyTo]), Node{tree: n.tree, at: at}) {
					return
				}
			}
		default:
			for key, val := range n.Value().members() {
				if !yield(plainKey(key), Node{val: val}) {
					return
				}
			}
		}
	}
}

func plainKey(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return []byte(decode(raw))
}

// Get gives the member of that name, the last one where it is repeated, or the zero
// Node.
func (n Node) Get(name string) (found Node) {
	for key, val := range n.Members() {
		if string(key) == name {
			found = val
		}
	}
	return found
}

// Elems yields the elements of an array in order.
func (n Node) Elems() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		switch {
		case n.Kind() != Array:
		case n.apart():
			nodes := n.tree.nodes
			for at, after := n.at+1, nodes[n.at].after; at < after; at = nodes[at].after {
				if !yield(Node{tree: n.tree, at: at}) {
					return
				}
			}
		default:
			for val := range n.Value().Elems() {
				if !yield(Node{val: val}) {
					return
				}
			}
		}
	}
}
