//go:build !linux

package rootfs

import (
	"os"

	"github.com/seshat-dev/seshat/agent"
)

// list lists a folder and looks at each name in it.
func list(path string, _ int) ([]agent.Info, error) {
	entries, err := os.ReadDir(path)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	infos, crashed := lookAtAll(len(entries), func(i int) agent.Info {
		fi, err := entries[i].Info()
		if err != nil {
			return agent.Info{} // it is gone since
		}
		return infoOf(fi)
	})
	if crashed != nil {
		return nil, crashed
	}
	return infos, err
}
