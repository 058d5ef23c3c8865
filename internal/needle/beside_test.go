package needle

import "testing"

// What stands beside a literal in every match is held against the raw bytes there, as far
// as these are sure.
func TestBeside(t *testing.T) {
	// get[A-Z][a-z]+Account[a-z]*V7, looked for by its middle.
	l := Literal{Text: "Account", Beside: &Beside{
		Before: []Step{{class("a-z"), 1, -1}, {class("A-Z"), 1, 1}, {class("t"), 1, 1}, {class("e"), 1, 1}, {class("g"), 1, 1}},
		After:  []Step{{class("a-z"), 0, -1}, {class("V"), 1, 1}, {class("7"), 1, 1}},
	}}
	for line, want := range map[string]bool{
		`"getUserAccountV7"`:            true,
		`"x getUserAccountabcV7 y"`:     true,
		`"setUserAccountV7"`:            false,
		`"getuserAccountV7"`:            false,
		`"getUAccountV7"`:               false, // [a-z]+ takes one at least
		`"getUserAccountV8"`:            false,
		`"getUserAccount V7"`:           false,
		`"getUserAccount"`:              false, // a word ends where its string does
		`"UserAccountV7"`:               false,
		`"<b>UserAccountV7"`:            false, // no adapter takes anything out of a word
		`"g\u0065tUserAccountV7"`:       true,  // an escape may be anything
		`"getUse\u0072AccountV7"`:       true,
		`"getUserAccount\u0061V7"`:      true,
		`"getUserAccountV\u0037"`:       true,
		`"\u0031UserAccountV7"`:         true, // 31 are not the digits they seem to be
		`"tUserAccount` + "e\u0301V7\"": false,
		`"getUserAccount` + "V\u0301\"": true, // what a mark stands behind is another character
		`"` + "\u212aserAccountV7\"":    true,
	} {
		if got := New([]Literal{l}).Next([]byte(line), 0) >= 0; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// Where a character that is no letter may come next, markup may stand in its place, and
// what stands behind a literal of other characters is as uncertain.
func TestBesideMarkup(t *testing.T) {
	for _, c := range []struct {
		l    Literal
		line string
		want bool
	}{
		{Literal{Text: "Account", Beside: &Beside{After: []Step{{class("(a-z"), 1, 1}, {class("x"), 1, 1}}}}, `"Account</b>(x"`, true},
		{Literal{Text: "Account", Beside: &Beside{After: []Step{{class("a-z"), 1, 1}, {class("x"), 1, 1}}}}, `"Account</b>ax"`, false},
		{Literal{Text: "Account(", Beside: &Beside{After: []Step{{class("a-z"), 1, 1}, {class("x"), 1, 1}}}}, `"Account(<b>ax"`, true},
		{Literal{Text: "Account(", Beside: &Beside{After: []Step{{class("a-z"), 1, 1}, {class("x"), 1, 1}}}}, `"Account(ay"`, false},
		{Literal{Text: "Account", Beside: &Beside{After: []Step{{class("0-9"), 0, 2}, {class("x"), 1, 1}}}}, `"Account123x"`, false},
		{Literal{Text: "Account", Beside: &Beside{After: []Step{{class("0-9"), 0, 2}, {class("x"), 1, 1}}}}, `"Account12x"`, true},
		{Literal{Text: "Account", Beside: &Beside{After: []Step{{class("0-9"), 0, 2}}}}, `"Accountant"`, true}, // it may be left out
	} {
		if got := New([]Literal{c.l}).Next([]byte(c.line), 0) >= 0; got != c.want {
			t.Errorf("%q in %s: %v, want %v", c.l.Text, c.line, got, c.want)
		}
	}
}

// A mark alone may be spelt as a part of any letter, in any order with other marks.
func TestMarksAreNotLookedFor(t *testing.T) {
	if New([]Literal{{Text: "\u0301"}}) != nil {
		t.Error("a mark is looked for")
	}
}
