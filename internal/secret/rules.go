package secret

// Rule is a kind of credential.
type Rule struct {
	ID       string // stable, such as github-token
	Provider string // who gave the credential out; empty where its shape does not tell
	Revoke   string // how it is made worthless, as a sentence

	rank   int // where findings overlap, the lower one is kept
	shapes []shape
}

// shape is how a token is built: a prefix, and characters of a class behind it.
type shape struct {
	prefix   string // exactly, letters in their case
	body     class
	min, max int // how many characters stand behind the prefix; no upper limit when max is 0

	before               class // what stands before the prefix and belongs to the token
	beforeMin, beforeMax int
	check                func(body string) bool           // of a whole body, when set
	begins               func(body string, cut bool) bool // of a long one at the end of a text, likewise
}

// tokens are the rules for what can be told by its shape alone. The providers' own
// documentation and the public rule sets are where the prefixes, alphabets and lengths
// come from; lengths are lower bounds where providers have changed them before.
var tokens = []*Rule{
	{ID: "aws-access-key", Provider: "AWS", Revoke: "IAM console, Users, Security credentials: deactivate the access key, then delete it", shapes: []shape{
		{prefix: "AKIA", body: upper | digits, min: 16, max: 16},
		{prefix: "ASIA", body: upper | digits, min: 16, max: 16},
		{prefix: "ABIA", body: upper | digits, min: 16, max: 16},
		{prefix: "ACCA", body: upper | digits, min: 16, max: 16},
	}},
	{ID: "github-token", Provider: "GitHub", Revoke: "https://github.com/settings/tokens: delete the token", shapes: []shape{
		{prefix: "ghp_", body: alnum, min: 36}, {prefix: "gho_", body: alnum, min: 36}, {prefix: "ghu_", body: alnum, min: 36},
		{prefix: "ghs_", body: word | dot | dash, min: 36}, {prefix: "ghr_", body: alnum, min: 36},
	}},
	{ID: "github-fine-grained-token", Provider: "GitHub", Revoke: "https://github.com/settings/personal-access-tokens: delete the token", shapes: []shape{
		{prefix: "github_pat_", body: word, min: 40},
	}},
	{ID: "gitlab-token", Provider: "GitLab", Revoke: "GitLab, Preferences, Access tokens: revoke it; group, project and deploy tokens in their settings", shapes: []shape{
		{prefix: "glpat-", body: url64 | dot, min: 20}, {prefix: "gldt-", body: url64, min: 20}, {prefix: "glrt-", body: url64 | dot, min: 20},
		{prefix: "glptt-", body: url64, min: 40}, {prefix: "glcbt-", body: url64, min: 20}, {prefix: "gloas-", body: url64, min: 64},
		{prefix: "glsoat-", body: url64, min: 20}, {prefix: "glft-", body: url64, min: 20}, {prefix: "glagent-", body: url64, min: 50},
	}},
	{ID: "slack-token", Provider: "Slack", Revoke: "https://api.slack.com/apps, OAuth & Permissions: revoke or rotate the token", shapes: []shape{
		{prefix: "xoxb-", body: alnum | dash, min: 24}, {prefix: "xoxp-", body: alnum | dash, min: 24}, {prefix: "xoxa-", body: alnum | dash, min: 24},
		{prefix: "xoxr-", body: alnum | dash, min: 24}, {prefix: "xoxs-", body: alnum | dash, min: 24}, {prefix: "xoxe-", body: alnum | dash, min: 24},
		{prefix: "xoxc-", body: alnum | dash, min: 24}, {prefix: "xoxd-", body: std64 | dash | percent, min: 24},
		{prefix: "xoxe.xoxp-", body: alnum | dash, min: 24}, {prefix: "xoxe.xoxb-", body: alnum | dash, min: 24},
		{prefix: "xapp-", body: alnum | dash, min: 40},
	}},
	{ID: "slack-webhook", Provider: "Slack", Revoke: "https://api.slack.com/apps, Incoming Webhooks: remove the URL", shapes: []shape{
		{prefix: "hooks.slack.com/services/", body: alnum | slashPlus, min: 40, check: isWebhook},
		{prefix: "hooks.slack.com/workflows/", body: alnum | slashPlus, min: 40, check: isWebhook},
	}},
	{ID: "stripe-key", Provider: "Stripe", Revoke: "https://dashboard.stripe.com/apikeys: roll the key", shapes: []shape{
		{prefix: "sk_live_", body: alnum, min: 20}, {prefix: "rk_live_", body: alnum, min: 20},
		{prefix: "sk_test_", body: alnum, min: 20}, {prefix: "rk_test_", body: alnum, min: 20}, {prefix: "whsec_", body: std64, min: 24},
	}},
	{ID: "google-api-key", Provider: "Google", Revoke: "https://console.cloud.google.com/apis/credentials: delete or regenerate the key", shapes: []shape{
		{prefix: "AIza", body: url64, min: 35, max: 35},
	}},
	{ID: "google-oauth", Provider: "Google", Revoke: "https://console.cloud.google.com/apis/credentials: reset the client secret; tokens end at https://myaccount.google.com/permissions", shapes: []shape{
		{prefix: "GOCSPX-", body: url64, min: 28, max: 28}, {prefix: "ya29.", body: url64, min: 30},
	}},
	{ID: "azure-client-secret", Provider: "Azure", Revoke: "Entra admin center, App registrations, Certificates & secrets: delete the secret", shapes: []shape{
		{prefix: "8Q~", body: word | dash | dot | tilde, min: 31, max: 34, before: alnum | underscore | dot | tilde, beforeMin: 3, beforeMax: 3},
		{prefix: "7Q~", body: word | dash | dot | tilde, min: 31, max: 34, before: alnum | underscore | dot | tilde, beforeMin: 3, beforeMax: 3},
	}},
	{ID: "azure-account-key", Provider: "Azure", Revoke: "Azure portal, the account or namespace, Access keys or Shared access policies: regenerate the key", shapes: []shape{
		{prefix: "AccountKey=", body: std64, min: 40}, {prefix: "SharedAccessKey=", body: std64, min: 40},
	}},
	{ID: "azure-sas", Provider: "Azure", Revoke: "Azure portal, the storage account, Access keys: rotate the key that signed the URL", shapes: []shape{
		{prefix: "&sig=", body: std64 | percent, min: 43, max: 80},
	}},
	{ID: "anthropic-key", Provider: "Anthropic", Revoke: "https://console.anthropic.com/settings/keys: disable or delete the key", shapes: []shape{
		{prefix: "sk-ant-", body: url64, min: 24},
	}},
	{ID: "openai-key", Provider: "OpenAI", Revoke: "https://platform.openai.com/api-keys: revoke the key", shapes: []shape{
		{prefix: "sk-proj-", body: url64, min: 40}, {prefix: "sk-svcacct-", body: url64, min: 40}, {prefix: "sk-admin-", body: url64, min: 40},
		{prefix: "sk-", body: alnum, min: 48, max: 51},
	}},
	{ID: "openrouter-key", Provider: "OpenRouter", Revoke: "https://openrouter.ai/settings/keys: delete the key", shapes: []shape{
		{prefix: "sk-or-v1-", body: lowerHex, min: 64, max: 64},
	}},
	{ID: "groq-key", Provider: "Groq", Revoke: "https://console.groq.com/keys: delete the key", shapes: []shape{{prefix: "gsk_", body: alnum, min: 48}}},
	{ID: "npm-token", Provider: "npm", Revoke: "https://www.npmjs.com, Access Tokens: delete the token", shapes: []shape{{prefix: "npm_", body: alnum, min: 36, max: 36}}},
	{ID: "pypi-token", Provider: "PyPI", Revoke: "https://pypi.org/manage/account/: remove the API token", shapes: []shape{{prefix: "pypi-AgE", body: url64, min: 40}}},
	{ID: "huggingface-token", Provider: "Hugging Face", Revoke: "https://huggingface.co/settings/tokens: invalidate the token", shapes: []shape{
		{prefix: "hf_", body: alnum, min: 34, max: 40}, {prefix: "api_org_", body: alnum, min: 34, max: 40},
	}},
	{ID: "digitalocean-token", Provider: "DigitalOcean", Revoke: "https://cloud.digitalocean.com/account/api/tokens: delete the token", shapes: []shape{
		{prefix: "dop_v1_", body: lowerHex, min: 64, max: 64}, {prefix: "doo_v1_", body: lowerHex, min: 64, max: 64}, {prefix: "dor_v1_", body: lowerHex, min: 64, max: 64},
	}},
	{ID: "twilio-key", Provider: "Twilio", Revoke: "https://console.twilio.com, API keys & tokens: delete the key", shapes: twilio()},
	{ID: "sendgrid-key", Provider: "SendGrid", Revoke: "https://app.sendgrid.com/settings/api_keys: delete the key", shapes: []shape{
		{prefix: "SG.", body: url64 | dot, min: 66, max: 66, check: func(b string) bool { return b[22] == '.' }},
	}},
	{ID: "telegram-token", Provider: "Telegram", Revoke: "@BotFather, /revoke", shapes: []shape{
		{prefix: ":AA", body: url64, min: 32, max: 33, before: digits, beforeMin: 8, beforeMax: 10},
	}},
	{ID: "vault-token", Provider: "HashiCorp Vault", Revoke: "vault token revoke", shapes: []shape{{prefix: "hvs.", body: url64, min: 80}, {prefix: "hvb.", body: url64, min: 80}}},
	{ID: "docker-token", Provider: "Docker", Revoke: "https://app.docker.com/settings/personal-access-tokens: delete the token", shapes: []shape{{prefix: "dckr_pat_", body: url64, min: 27}}},
	{ID: "shopify-token", Provider: "Shopify", Revoke: "Shopify admin, Apps, Develop apps: uninstall the app or rotate its token", shapes: []shape{
		{prefix: "shpat_", body: anyHex, min: 32, max: 32}, {prefix: "shpss_", body: anyHex, min: 32, max: 32},
	}},
	{ID: "linear-key", Provider: "Linear", Revoke: "Linear, Settings, Security & access: revoke the key", shapes: []shape{{prefix: "lin_api_", body: alnum, min: 40}}},
	{ID: "atlassian-token", Provider: "Atlassian", Revoke: "https://id.atlassian.com/manage-profile/security/api-tokens: revoke the token", shapes: []shape{{prefix: "ATATT3", body: url64 | equals, min: 100}}},
	{ID: "age-key", Revoke: "make a new identity with age-keygen and encrypt to it anew", shapes: []shape{{prefix: "AGE-SECRET-KEY-1", body: upper | digits, min: 58, max: 58}}},
	{ID: "jwt", Revoke: "end the session at whoever issued it, or change the key that signs such tokens", shapes: []shape{
		{prefix: "eyJ", body: url64 | dot, min: 30, check: isJWT, begins: beginsJWT},
	}},
}

// The rules for what is told by what stands around it.
var (
	privateKey = &Rule{ID: "private-key", Revoke: "make a new pair, and remove the old public key or certificate wherever it is trusted"}
	connection = &Rule{ID: "connection-string", rank: 1, Revoke: "change the password of the database user"}
	basicAuth  = &Rule{ID: "basic-auth-url", rank: 1, Revoke: "change the password, or revoke the token, of the account that the URL names"}
	header     = &Rule{ID: "authorization-header", rank: 1, Revoke: "revoke the token, or change the password, at the service that the request went to"}
	assignment = &Rule{ID: "assigned-secret", rank: 2, Revoke: "change the value at the service that it opens, and wherever it is set"}
)

// Rules lists every rule.
func Rules() []*Rule {
	return append(append([]*Rule{}, tokens...), privateKey, connection, basicAuth, header, assignment)
}

// twilio has no word of three letters to be found by: its keys are SK and 32 digits.
func twilio() (out []shape) {
	for _, c := range "0123456789abcdef" {
		out = append(out, shape{prefix: "SK" + string(c), body: lowerHex, min: 31, max: 31})
	}
	return out
}
