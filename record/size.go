package record

import "fmt"

// Size writes a number of bytes for people, in steps of 1024 and in whole units.
func Size(n int64) string {
	kb, mb := (n+1<<9)>>10, (n+1<<19)>>20
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case kb < 1<<10:
		return fmt.Sprintf("%d KB", kb)
	}
	return fmt.Sprintf("%d MB", mb)
}
