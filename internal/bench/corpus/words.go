package corpus

import "strings"

// The words that filler is made of. None holds anything that a query looks for:
// that comes in by the templates and by the subjects of lines, which are counted.
var (
	nouns = strings.Fields(`ledger cache queue socket cursor buffer window handler router schema
		migration worker session token ticket invoice payment basket cart shelf lantern harbour
		timetable platform carriage signal junction bridge tunnel garden orchard seed bed furrow
		kettle recipe oven pantry drawer atlas border river valley summit compass beacon mast
		anchor sail rudder galley deck cabin crate barrel pulley lever wheel spindle loom shuttle
		thread needlecase fabric pattern ribbon button zipper pocket collar sleeve hem quilt
		request response header footer banner panel dialog menu sidebar toolbar layout column
		row index shard replica snapshot checkpoint journal archive manifest digest checksum
		encoder decoder lexer formatter linter compiler linker loader runtime scheduler timer
		retry backoff deadline budget quota limit threshold gauge counter histogram trace span
		logger fixture mock stub harness suite benchmark profile flag option setting default
		branch commit patch merge rebase conflict review release changelog version module
		package import interface struct method field argument callback promise future stream
		reader writer scanner walker visitor builder factory adapter proxy gateway tenant
		account member invitation webhook subscription notification digestmail attachment preview`)
	verbs = strings.Fields(`returns keeps drops reads writes opens closes flushes resets retries skips
		counts merges splits wraps unwraps copies moves renames deletes creates updates checks
		validates rejects accepts forwards queues drains locks releases waits blocks wakes starts
		stops restarts caches evicts loads stores fetches sends receives encodes decodes renders
		paints measures samples rounds clamps sorts filters groups joins appends trims pads folds
		unfolds resolves registers subscribes publishes schedules cancels expires renews rotates`)
	adjectives = strings.Fields(`stale fresh empty full slow quick idle busy narrow wide shallow deep
		small large first last next previous nested flat sparse dense lazy eager strict loose
		public private local remote shared global partial complete pending ready broken healthy
		legacy modern default custom optional required hidden visible frozen mutable safe unsafe
		duplicate unique missing extra early late upper lower inner outer left right plain quiet`)
	adverbs = strings.Fields(`only always never twice quietly early late again still already once
		silently carefully directly eventually immediately usually rarely nowhere everywhere`)
	packages = strings.Fields(`billing catalogue checkout delivery gateway identity inventory ledger
		lighthouse metrics orders payments planner quarry render reports roster search settings
		shipping signals storage sync tariff tickets timetable uploads vault wardrobe workflow`)
	stems = strings.Fields(`account batch cursor draft entry filter gauge header invoice job key
		label meter notice offset page queue route scope store table unit value window zone
		carrier depot ferry harbour lantern mooring pilot quay signal tide vessel wharf`)
	projects = strings.Fields(`lanternfish quaybook tidewater cartwheel millrace hopfield larkspur
		stonecrop brambling saltmarsh greenfinch copperbeech foxglove nightjar redshank wheatear
		marigold tamarisk juniper rosewood hazel alder rowan aspen maple bracken`)
)

// camel gives the name of a variable or a function.
func camel(r *rng, exported bool) string {
	name := r.of(stems)
	for range r.between(1, 2) {
		next := r.of(stems)
		name += strings.ToUpper(next[:1]) + next[1:]
	}
	if exported {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// file gives the path of a source file within a project.
func file(r *rng) string {
	ext := r.of([]string{".go", ".go", ".ts", ".ts", ".tsx", ".py", ".md", ".sql"})
	return r.of([]string{"internal/", "src/", "pkg/", "app/", "lib/"}) + r.of(packages) + "/" + r.of(stems) + "_" + r.of(stems) + ext
}
