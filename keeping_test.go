package seshat

import (
	"testing"

	"github.com/seshat-dev/seshat/catalog"
)

// What an adapter says of keeping fits its catalogue: every store of family ref has a
// reference, and what is kept on its own or when asked for is of family no.
func TestKeepingFitsTheCatalogue(t *testing.T) {
	all, err := adapters()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		k, cat := a.Keeping(), a.Catalog()
		asked := map[string]bool{}
		for word, id := range k.Asked {
			asked[id] = true
			if s := cat.Store(id); s == nil || s.Family == catalog.FamilyYes || s.Coverage == catalog.Private {
				t.Errorf("%s is kept for %s: %+v", id, word, s)
			}
		}
		for _, s := range cat.Stores {
			ref, known := k.Refs[s.ID]
			if known != (s.Family == catalog.FamilyRef && !asked[s.ID]) || known && (ref.Names == nil || len(ref.After) == 0 || len(ref.In) == 0) {
				t.Errorf("%s is of family %s and has the reference %+v", s.ID, s.Family, ref)
			}
			for _, in := range ref.In {
				if to := cat.Store(in); to == nil || to.Family == catalog.FamilyNo && (keeping{a.Name(): k}).of(to, nil) == notKept {
					t.Errorf("%s is looked for in %s, which is not kept", s.ID, in)
				}
			}
		}
		for _, id := range k.Alone {
			if s := cat.Store(id); s == nil || s.Family != catalog.FamilyNo || s.Coverage == catalog.Private {
				t.Errorf("%s is kept on its own: %+v", id, s)
			}
		}
	}
}
