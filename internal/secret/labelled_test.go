package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The set is made at run time from pieces, so that no text of this repository has the
// shape of a credential. What is wanted is known by how each text was made.

// labelled is a text with the kind of credential in it; "" where there is none.
type labelled struct{ rule, text, value string }

const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	tens   = "0123456789"
	hexes  = tens + "abcdef"
	alnums = lowers + uppers + tens
	urls   = alnums + "-_"
	base   = alnums + "+/"
)

// draw gives n characters of an alphabet.
func draw(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// values makes a value of each rule that is told by its shape.
var values = map[string][]func(r *rand.Rand) string{
	"aws-access-key":            {func(r *rand.Rand) string { return "AK" + "IA" + draw(r, 16, uppers+tens) }, func(r *rand.Rand) string { return "AS" + "IA" + draw(r, 16, uppers+"234567") }},
	"github-token":              {func(r *rand.Rand) string { return "gh" + "p_" + draw(r, 36, alnums) }, func(r *rand.Rand) string { return "gh" + "s_" + draw(r, 36, alnums) }},
	"github-fine-grained-token": {func(r *rand.Rand) string { return "github" + "_pat_" + draw(r, 22, alnums) + "_" + draw(r, 59, alnums) }},
	"gitlab-token":              {func(r *rand.Rand) string { return "gl" + "pat-" + draw(r, 20, urls) }},
	"slack-token": {
		func(r *rand.Rand) string {
			return "xo" + "xb-" + draw(r, 12, tens) + "-" + draw(r, 13, tens) + "-" + draw(r, 24, alnums)
		},
		func(r *rand.Rand) string {
			return "xa" + "pp-1-A" + draw(r, 10, uppers+tens) + "-" + draw(r, 13, tens) + "-" + draw(r, 64, hexes)
		},
	},
	"slack-webhook": {func(r *rand.Rand) string {
		return "hooks.slack" + ".com/services/T" + draw(r, 10, uppers+tens) + "/B" + draw(r, 10, uppers+tens) + "/" + draw(r, 24, alnums)
	}},
	"stripe-key":          {func(r *rand.Rand) string { return "sk" + "_live_" + draw(r, 24, alnums) }, func(r *rand.Rand) string { return "rk" + "_test_" + draw(r, 99, alnums) }},
	"google-api-key":      {func(r *rand.Rand) string { return "AI" + "za" + draw(r, 35, urls) }},
	"google-oauth":        {func(r *rand.Rand) string { return "GOC" + "SPX-" + draw(r, 28, urls) }, func(r *rand.Rand) string { return "ya" + "29." + draw(r, 120, urls) }},
	"azure-client-secret": {func(r *rand.Rand) string { return draw(r, 3, alnums) + "8" + "Q~" + draw(r, 34, alnums+"._-") }},
	"azure-account-key":   {func(r *rand.Rand) string { return draw(r, 86, base) + "==" }},
	"anthropic-key":       {func(r *rand.Rand) string { return "sk-" + "ant-api03-" + draw(r, 93, urls) + "AA" }, func(r *rand.Rand) string { return "sk-" + "ant-oat01-" + draw(r, 40, urls) }},
	"openai-key":          {func(r *rand.Rand) string { return "sk-" + "proj-" + draw(r, 120, urls) }, func(r *rand.Rand) string { return "sk-" + draw(r, 20, alnums) + "T3Blbk" + "FJ" + draw(r, 20, alnums) }},
	"npm-token":           {func(r *rand.Rand) string { return "np" + "m_" + draw(r, 36, alnums) }},
	"pypi-token":          {func(r *rand.Rand) string { return "py" + "pi-AgEIcHlwaS5vcmc" + draw(r, 150, urls) }},
	"huggingface-token":   {func(r *rand.Rand) string { return "h" + "f_" + draw(r, 34, lowers+uppers) }},
	"digitalocean-token":  {func(r *rand.Rand) string { return "do" + "p_v1_" + draw(r, 64, hexes) }},
	"twilio-key":          {func(r *rand.Rand) string { return "S" + "K" + draw(r, 32, hexes) }},
	"sendgrid-key":        {func(r *rand.Rand) string { return "S" + "G." + draw(r, 22, urls) + "." + draw(r, 43, urls) }},
	"telegram-token":      {func(r *rand.Rand) string { return "7" + draw(r, 9, tens) + ":A" + "A" + draw(r, 33, urls) }},
	"jwt": {func(r *rand.Rand) string {
		head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
		body := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"sub":"%s","iat":%d}`, draw(r, 12, tens), 1700000000+r.IntN(99999999)))
		return head + "." + body + "." + draw(r, 43, urls)
	}},
}

// around are texts that a token may stand in.
var around = []string{
	"%s", "use %s for it", "export KEY=%s\nnext", `{"value": "%s"}`, "key: '%s',", "| %s |", "`%s`", "(%s)", `first\n%s\nlast`, "\x1b[32m%s\x1b[0m",
	"https://api.invalid/?k=%s&x=1", "+    const k = \"%s\";", "  12\t%s", "It is %s.", "<code>%s</code>", `\"%s\"`,
}

// pemOf makes a private key of so many lines with a line break of a kind.
func pemOf(r *rand.Rand, kind, br string, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + kind + "PRIVATE " + "KEY-----" + br)
	for range lines {
		b.WriteString(draw(r, 64, base) + br)
	}
	return b.String() + draw(r, 22, base) + "==" + br + "-----END " + kind + "PRIVATE " + "KEY-----"
}

// positives makes texts that hold one credential each.
func positives(r *rand.Rand) (out []labelled) {
	for rule, makers := range values {
		for _, maker := range makers {
			for _, frame := range around {
				v := maker(r)
				text := v
				if rule == "azure-account-key" {
					text = "DefaultEndpointsProtocol=https;Account" + "Key=" + v
				}
				out = append(out, labelled{rule, strings.Replace(frame, "%s", text, 1), v})
			}
		}
	}
	for _, kind := range []string{"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "} {
		for _, br := range []string{"\n", `\n`, `\\n`, "\r\n", "\n    ", "\n+"} {
			for _, lines := range []int{1, 3, 25} {
				out = append(out, labelled{"private-key", "key:\n" + pemOf(r, kind, br, lines) + "\n", ""})
			}
		}
	}
	for _, scheme := range []string{"https://", "http://", "ftp://", "git+https://"} {
		for range 8 {
			v := draw(r, 4, lowers) + draw(r, 4, tens) + draw(r, 4, uppers) + "x9"
			out = append(out, labelled{"basic-auth-url", "curl " + scheme + "sam:" + v + "@db.invalid/x", v})
		}
	}
	for _, scheme := range []string{"postgres://", "postgresql+psycopg2://", "mongodb+srv://", "redis://", "mysql://", "amqp://"} {
		for range 8 {
			v := draw(r, 16, alnums)
			out = append(out, labelled{"connection-string", "DATABASE=" + scheme + "app:" + v + "@10.0.0.5:5432/app", v})
		}
	}
	for _, frame := range []string{
		"curl -H 'Authorization: Bearer %s' https://api.invalid", "Authorization: token %s", `{"Authorization": "Bearer %s"}`, `headers["Authorization"] = "Bearer %s"`,
		`-H \"Authorization: Bearer %s\"`, "authorization: Bearer %s\r\n",
	} {
		for _, alphabet := range []string{alnums, urls, hexes} {
			v := draw(r, 40, alphabet)
			out = append(out, labelled{"authorization-header", strings.Replace(frame, "%s", v, 1), v})
		}
	}
	for range 12 {
		v := base64.StdEncoding.EncodeToString([]byte("sam:" + draw(r, 14, alnums) + "7x"))
		out = append(out, labelled{"authorization-header", "Authorization: Basic " + v, v})
	}
	for _, name := range []string{"API_KEY", "STRIPE_SECRET", "AUTH_TOKEN", "AWS_SECRET_ACCESS_KEY", "client_secret", "apiKey", "DB_PASSWORD", "SIGNING_KEY", "user_password", "x-api-key", "privateKey"} {
		for _, frame := range []string{"%n=%s\n", "%n=\"%s\"", "export %n='%s'", "%n: %s", `"%n": "%s",`, `\"%n\":\"%s\"`, "const %n = '%s';", "%n := \"%s\"", "config.%n = \"%s\"", "'%n' => '%s'"} {
			for _, alphabet := range []string{alnums, base, hexes} {
				v := draw(r, 32, alphabet)
				out = append(out, labelled{"assigned-secret", strings.NewReplacer("%n", name, "%s", v).Replace(frame), v})
			}
		}
	}
	for _, v := range []string{"tR4" + "v9!kQz", "Blu3" + "-Wh4le-77", "x7#" + "Kp2vLm", "9f" + "Gh2kLw0p", "Zeb" + "ra!42Moon"} {
		for _, frame := range []string{"DB_PASSWORD=%s", `password: "%s"`, "PGPASSWORD='%s' psql", `"password": "%s"`} {
			out = append(out, labelled{"assigned-secret", strings.Replace(frame, "%s", v, 1), v})
		}
	}
	return out
}
