package blackbox

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

const (
	smallHex = "0123456789abcdef"
	urlSafe  = letters + "-_"
)

// plant is a credential in the words that it stands in: %s is its value. What stands
// around it tells that it is one where its shape does not.
type plant struct{ rule, frame, value string }

func (p plant) text() string { return strings.Replace(p.frame, "%s", p.value, 1) }

// plants makes a credential of every kind, from pieces, so that none stands in this file.
func plants(r *rand.Rand) []plant {
	d := func(n int, alphabet string) string { return drawn(r, n, alphabet) }
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	body := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"sub":"%s"}`, d(12, "0123456789")))
	list := []plant{
		{"aws-access-key", "%s", "AK" + "IA" + d(16, capitals)}, {"github-token", "%s", "gh" + "p_" + d(36, letters)},
		{"github-fine-grained-token", "%s", "github" + "_pat_" + d(22, letters) + "_" + d(59, letters)}, {"gitlab-token", "%s", "gl" + "pat-" + d(20, urlSafe)},
		{"slack-token", "%s", "xo" + "xb-" + d(12, "0123456789") + "-" + d(24, letters)},
		{"slack-webhook", "https://%s", "hooks.slack" + ".com/services/T" + d(10, capitals) + "/B" + d(10, capitals) + "/" + d(24, letters)},
		{"stripe-key", "%s", "sk" + "_live_" + d(24, letters)}, {"google-api-key", "%s", "AI" + "za" + d(35, urlSafe)}, {"google-oauth", "%s", "GOC" + "SPX-" + d(28, urlSafe)},
		{"azure-client-secret", "%s", d(3, letters) + "8" + "Q~" + d(34, letters)}, {"azure-account-key", "Account" + "Key=%s", d(86, letters) + "=="},
		{"azure-sas", "https://x.blob.invalid/c?sv=2024&" + "sig=%s&se=2", d(43, letters)}, {"anthropic-key", "%s", "sk-" + "ant-api03-" + d(40, letters)},
		{"openai-key", "%s", "sk-" + "proj-" + d(80, urlSafe)}, {"openrouter-key", "%s", "sk-" + "or-v1-" + d(64, smallHex)}, {"groq-key", "%s", "gs" + "k_" + d(52, letters)},
		{"npm-token", "%s", "np" + "m_" + d(36, letters)}, {"pypi-token", "%s", "py" + "pi-AgE" + d(80, urlSafe)}, {"huggingface-token", "%s", "h" + "f_" + d(34, letters)},
		{"digitalocean-token", "%s", "do" + "p_v1_" + d(64, smallHex)}, {"twilio-key", "%s", "S" + "K" + d(32, smallHex)},
		{"sendgrid-key", "%s", "S" + "G." + d(22, letters) + "." + d(43, letters)}, {"telegram-token", "%s", "7" + d(9, "0123456789") + ":A" + "A" + d(33, letters)},
		{"vault-token", "%s", "hv" + "s." + d(90, letters)}, {"docker-token", "%s", "dckr" + "_pat_" + d(27, letters)}, {"shopify-token", "%s", "shp" + "at_" + d(32, smallHex)},
		{"linear-key", "%s", "lin" + "_api_" + d(40, letters)}, {"atlassian-token", "%s", "ATA" + "TT3" + d(180, letters)}, {"age-key", "%s", "AGE-SECRET" + "-KEY-1" + d(58, capitals)},
		{"jwt", "%s", head + "." + body + "." + d(43, urlSafe)},
		{"connection-string", "postgres://app:%s@10.0.0.5:5432/app", "q7" + d(18, letters)}, {"basic-auth-url", "https://user:%s@db.invalid/x", "pa55" + "w0rdXYZ" + d(4, letters)},
		{"authorization-header", "Authorization: Bearer %s", "x7Q" + d(37, letters)}, {"assigned-secret", "DB_PASSWORD=%s", "w9" + d(22, letters)},
	}
	return append(list, plant{"private-key", "%s", pem(r, "\n")})
}

// pem makes a private key with a line break of a kind.
func pem(r *rand.Rand, br string) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + "PRIVATE KEY-----" + br)
	for range 4 {
		b.WriteString(drawn(r, 64, letters+"+/") + br)
	}
	return b.String() + "-----END " + "PRIVATE KEY-----"
}

// values gives what of plants must not be seen: of a private key its lines, of what begins
// with many characters that everybody knows the rest.
func values(list []plant) (out []string) {
	for _, p := range list {
		p.value = strings.TrimPrefix(strings.TrimPrefix(p.value, "hooks.slack.com/services/"), "AGE-SECRET"+"-KEY-")
		for _, line := range strings.FieldsFunc(strings.ReplaceAll(p.value, `\n`, "\n"), func(c rune) bool { return c == '\n' }) {
			if !strings.HasPrefix(line, "-----") {
				out = append(out, line)
			}
		}
	}
	return out
}

// The near misses, which stay.
const (
	nearSHA  = "3f786850e387550fdab836ed7e6dc881de23001b"
	nearUUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
)

// planted is a home in which credentials stand wherever text can stand: each kind in a
// first prompt, whole and cut by the end of the title that it becomes, in the input and
// the result of a tool; and some in a custom title, names of folders, files, branches,
// tools, models, types and subagents, damaged lines, a prompt log, documents, and the
// chats of another agent.
func planted(t *testing.T) (h *Home, list []plant) {
	h = New(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, "data")
	r := rand.New(rand.NewPCG(19, 2))
	list = plants(r)
	more := func(rule string) string { // another value of a kind
		for _, p := range plants(r) {
			if p.rule == rule {
				list = append(list, p)
				return p.value
			}
		}
		t.Fatal(rule)
		return ""
	}
	for i, p := range list[:len(list):len(list)] {
		id := func(n int) string { return fmt.Sprintf("%08d-%04d-4aaa-8aaa-aaaaaaaaaaaa", i, n) }
		input, _ := json.Marshal(map[string]string{"command": "run " + p.text(), "why": "needle"})
		h.Claude("/srv/app", id(0),
			U("p1", "", "needle "+p.text()+" in a prompt"),
			A("p2", "p1", "msg_1", ToolUse("t1", "Bash", string(input)), ""),
			UB("p3", "p2", ToolResult("t1", "needle\nbefore "+p.text()+" behind\ncommit "+nearSHA+"\nid "+nearUUID+"\nagain alone: "+p.value)),
			A("p4", "p3", "msg_2", T("needle: I used "+p.value+" for it"), ""))
		for n, left := range []int{14, 30} { // of the value in the title
			before := strings.Index(p.frame, "%s")
			text := strings.Repeat("ab ", 80)[:200-before-min(left, len(p.value))-1] + " " + p.text() + " needle behind"
			h.Claude("/srv/app", id(n+1), U("c1", "", text))
		}
	}
	escaped := pem(r, `\n`)
	list = append(list, plant{"private-key", "%s", escaped})
	cwd := "/srv/" + more("github-token")
	h.Start = h.Start.AddDate(0, 0, 1)
	h.Claude(cwd, S1,
		strings.Replace(U("n1", "", "needle in a folder"), `"gitBranch":"main"`, `"gitBranch":`+Quote("fix/"+more("gitlab-token")), 1),
		A("n2", "n1", "msg_1", ToolUse("t1", "tool_"+more("npm-token"), `{"file_path":"/srv/`+more("huggingface-token")+`/needle","`+more("linear-key")+`":"needle"}`), ""),
		strings.Replace(A("n3", "n2", "msg_2", T("needle "+escaped), ""), "test-model-1", "model-"+more("docker-token"), 1),
		`{"type":`+Quote(more("groq-key"))+`,"uuid":"x1"}`,
		A("n4", "n3", "msg_3", `{"type":`+Quote(more("jwt"))+`,"text":"x"}`, ""),
		CustomTitle("needle about "+more("stripe-key")),
		U(more("google-api-key"), "n4", "needle in a record with an id"),
		`{"type":"user","message":{"role":"user","content":"needle `+more("anthropic-key"))
	name := more("digitalocean-token")
	h.Write(app+name+".jsonl", h.Fill("/srv/app", name, U("f1", "", "needle in a file with a name")), 0o600)
	h.Write(app+name+"/subagents/agent-"+more("shopify-token")+".jsonl", h.Fill("/srv/app", name, U("s1", "", "needle of a subagent")), 0o600)
	h.Write(app+S1+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, U("s1", "", "needle of a subagent")), 0o600)
	h.Write(app+S1+"/subagents/agent-a1.meta.json", `{"agentType":`+Quote("type "+more("sendgrid-key"))+`,"description":`+Quote("needle "+more("telegram-token"))+`,"model":`+Quote(more("twilio-key"))+`}`, 0o600)
	h.Write(".claude/history.jsonl", historyLine("needle "+more("openai-key"), `{}`, S5)+"\n", 0o600)
	h.Write(app+"memory/"+more("slack-token")+".md", "# needle\n\nthe key: "+more("pypi-token")+"\n", 0o600)
	h.Write(".claude/plans/plan.md", "# needle "+more("vault-token")+"\n", 0o600)
	h.Write(".claude/settings.json", `{"cleanupPeriodDays":30,`+Quote(more("groq-key"))+`:1}`, 0o600)
	h.Gemini("0000000a", GM(S4), GU("g1", "needle "+more("age-key")), GA("g2", "needle "+more("aws-access-key"), ""))
	return h, list
}
