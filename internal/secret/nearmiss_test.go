package secret

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// nearMisses are texts that look like credentials and are none.
func nearMisses(r *rand.Rand) (out []labelled) {
	add := func(texts ...string) {
		for _, text := range texts {
			out = append(out, labelled{"", text, ""})
		}
	}
	for range 60 {
		sha, long := draw(r, 40, hexes), draw(r, 64, hexes)
		uuid := draw(r, 8, hexes) + "-" + draw(r, 4, hexes) + "-4" + draw(r, 3, hexes) + "-a" + draw(r, 3, hexes) + "-" + draw(r, 12, hexes)
		b64 := base64.StdEncoding.EncodeToString([]byte(draw(r, 64, base)))
		add(
			"commit "+sha, "index "+sha[:7]+".."+sha[8:15]+" 100644", "sha256:"+long, "digest = \""+long+"\"", `"sha": "`+sha+`",`, "token_id: "+uuid, "id="+uuid,
			`"sessionId":"`+uuid+`"`, "api_key_id = \""+uuid+"\"", `"integrity": "sha512-`+draw(r, 86, base)+`=="`, "h1:"+draw(r, 43, base)+"=",
			"github.com/x/y v1.2.3/go.mod h1:"+draw(r, 43, base)+"=", "data:image/png;base64,"+b64+b64, "password_hash = \"$2b$12$"+draw(r, 53, alnums)+"\"",
			"token_hash: "+long, "secret_name = \"prod/"+draw(r, 8, lowers)+"/v2\"", "access_key_fingerprint: "+draw(r, 32, hexes), "cache_key=\""+long+"\"", "primary_key: "+draw(r, 24, hexes),
			"nextPageToken: \""+draw(r, 40, urls)+"\"", "https://cdn.invalid/"+long+"/app.js", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA"+draw(r, 43, base)+" sam@host",
			"-----BEGIN CERTIFICATE-----\n"+draw(r, 64, base)+"\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\n"+draw(r, 64, base)+"\n-----END PUBLIC KEY-----",
			"token: ${"+draw(r, 12, uppers)+"}", "max_tokens="+draw(r, 9, tens), `"input_tokens":`+draw(r, 7, tens)+`,"output_tokens":12345678`, "toolu_"+draw(r, 24, alnums), "msg_"+draw(r, 24, alnums), "req_"+draw(r, 24, alnums),
			"ETag: \""+draw(r, 32, hexes)+"\"", "secret: sha256:"+long, "x = \""+draw(r, 32, alnums)+"\"", "AC"+draw(r, 32, hexes), "pk"+"_live_"+draw(r, 24, alnums), "arn:aws:iam::"+draw(r, 12, tens)+":role/x",
		)
	}
	for _, tail := range []string{"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "YOUR_TOKEN_HERE_YOUR_TOKEN_HERE_1234", "abcdefghijklmnopqrstuvwxyz1234567890", "000000000000000000000000000000000000", "EXAMPLEexampleEXAMPLEexample12345678", "your_personal_access_token_goes_here", "************************************", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} {
		for _, prefix := range []string{"gh" + "p_", "np" + "m_", "sk" + "_live_", "sk-" + "ant-api03-", "gl" + "pat-", "xo" + "xb-", "hf" + "_", "AI" + "za", "github" + "_pat_", "sk-" + "proj-", "dop" + "_v1_"} {
			add(prefix+tail, "token = \""+prefix+tail+"\"", "export X="+prefix+tail)
		}
	}
	add("AK"+"IAIOSFODNN7EXAMPLE", "AWS_ACCESS_KEY_ID=AK"+"IAIOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
	for _, name := range []string{"password", "DB_PASSWORD", "secret", "API_KEY", "token", "client_secret", "access_key", "auth_token", "privateKey"} {
		for _, value := range []string{
			"", "changeme", "password123", "Password1!", "your-api-key-here", "<YOUR_TOKEN>", "${SECRET}", "$SECRET", "{{ secrets.TOKEN }}", "process.env.API_KEY", "os.environ['KEY']", "os.Getenv(\"KEY\")",
			"getToken()", "string", "undefined", "null", "None", "true", "xxxxxxxxxxxxxxxx", "********", "[REDACTED]", "REDACTED", "config.auth.token", "self.password", "req.body.password", "hunter2hunter2",
			"example-token-1234", "my-secret-value", "test-token", "fake_token_for_tests", "local-dev-secret", "/run/secrets/db_password", "~/.ssh/id_ed25519", "./certs/key.pem", "file:///etc/key", "vault:secret/data/app",
			"0123456789abcdef0123456789abcdef", "12345678", "1234567890123456", "%s", "%(password)s", "@Value(\"x\")", "generateRandomToken2", "AccessTokenProvider", "InMemoryTokenStore", "secrets-manager-v2", "op://vault/item/field",
			"&token", "*Token", "func() string", "lexer.Next", "strings.TrimSpace(x)", "useAuthToken2FA", "resetPasswordForm1", "https://auth.invalid/oauth2/token", "application/x-www-form-urlencoded", "bearer", "…", "...", "sk-...", "abc123",
		} {
			add(name+" = \""+value+"\"", name+"="+value, "\""+name+"\": \""+value+"\",", name+": "+value)
		}
	}
	for _, url := range []string{
		"https://user:password@example.com", "https://user:pass@host", "postgres://postgres:postgres@localhost:5432/app", "mysql://root:root@127.0.0.1/db", "redis://:@localhost", "https://${USER}:${PASSWORD}@host/x",
		"https://user:$PASSWORD@host", "postgres://app:<password>@host/db", "amqp://guest:guest@localhost", "https://{user}:{pass}@host", "http://localhost:8080/@scope/pkg", "https://registry.npmjs.org/@types/node", "https://user:xxxxx@host",
		"https://user:****@host", "git@github.com:owner/repo.git", "ssh://git@github.com/owner/repo", "https://x:y@z", "postgres://user:secret@db/app", "https://medium.com/@name/post-1a2b3c4d5e6f", "mongodb://admin:admin123@mongo", "https://user:changeme@host", "http://a.invalid:80,b@c",
	} {
		for _, frame := range []string{"%s", "see %s.", "DATABASE_URL=%s", `"url": "%s"`, "curl '%s'"} {
			add(strings.Replace(frame, "%s", url, 1))
		}
	}
	for _, v := range []string{"<token>", "$TOKEN", "${TOKEN}", "YOUR_TOKEN", "{token}", "%s", "xxx", "...", "token", "YOUR_API_KEY_GOES_RIGHT_HERE", "abcdefghijklmnopqrstuvwxyz", "+ token", "' + token", "`${token}`", "jwt-token-here-please-replace"} {
		add("Authorization: Bearer "+v, `{"Authorization": "Bearer `+v+`"}`, "-H 'Authorization: token "+v+"'", "Authorization: Basic "+v)
	}
	add("Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte("user:password")), "Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte("username:changeme1")),
		`strings.Contains(x, "-----BEGIN `+`PRIVATE KEY-----")`, "-----BEGIN "+"PRIVATE KEY-----\n...\n-----END "+"PRIVATE KEY-----", "-----BEGIN RSA "+"PRIVATE KEY-----\nMIIE...your key here...\n-----END RSA "+"PRIVATE KEY-----",
		"-----BEGIN "+"PRIVATE KEY----- is how it starts and the reader then looks for -----END", "eyJhbGciOi is how they begin", "eyJ0eXAi.eyJzdWIi.", "PWD=/home/sam/code/project1", "OLDPWD=/srv/app2/build3",
		"task-runner-with-a-long-name-that-goes-on-and-on-for-more-than-forty-characters", "risk-assessment-of-the-project-and-all-of-its-parts-in-more-than-48-letters", "SG.", "disk-"+draw(r, 48, alnums),
		"the password is secret", "password: must be at least 8 characters", "token: the lexer's current token", "secret = hidden in plain sight",
	)
	for n := range 40 {
		add(fmt.Sprintf("tokens used: %d of 200000, secret count %d", n*977, n), fmt.Sprintf("key_%d: value_%d", n, n*31))
	}
	return out
}
