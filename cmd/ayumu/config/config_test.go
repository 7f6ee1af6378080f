package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load loads settings as the program does.
func load(t *testing.T, file string, env map[string]string, args ...string) (*Config, error) {
	t.Helper()
	f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	Flags(f)
	if file != "" {
		name := filepath.Join(t.TempDir(), "club.toml")
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--config", name)
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	return Load(f, func(name string) string { return env[name] })
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	const file = "host = \"file\" # comment\ndata = 'file'\nlisten = [\"a:1\", \"b:2\"]\n[limits]\nmatches = 5\nidle-lobby = \"20s\"\n"
	c, err := load(t, file, map[string]string{"AYUMU_DATA": "env", "AYUMU_HOST": "env", "AYUMU_LIMITS_TABLES": "300"}, "--host", "flag", "--bots=false")
	if err != nil {
		t.Fatal(err)
	}
	if c.Host != "flag" || c.Data != "env" || c.Lobby.Matches != 5 || c.Lobby.IdleLobby != 20*time.Second ||
		c.Lobby.Tables != 300 || c.Lobby.TablesPerUser != 5 || c.Bots || strings.Join(c.Listen, " ") != "a:1 b:2" {
		t.Errorf("%+v", c)
	}
	if c, err := load(t, "", nil, "--host-key", "one", "--host-key", "two,three"); err != nil || strings.Join(c.HostKeys, " ") != "one two three" {
		t.Errorf("host keys %v, %v", c, err)
	}
}

func TestWhatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ file, env, arg, says string }{
		{file: "\nhots = \"x\"", says: "club.toml:2: unknown setting hots; did you mean bots or host? `ayumu config`"},
		{file: "\nanything = \"x\"", says: "club.toml:2: unknown setting anything; `ayumu config`"},
		{file: "[limits]\nmatchs = 3", says: "club.toml:2: unknown setting limits.matchs; did you mean limits.matches? "},
		{file: "\n\n[limit]\nmatches = 3", says: "club.toml:3: unknown section [limit]; did you mean limits? "},
		{file: "[access]\nopen = no", says: "club.toml:2: open: that is not a value; write true or false, a number, or a string in quotes"},
		{file: "store = postgres://ana:secret@db/a", says: "club.toml:1: store: that is not a value;"},
		{file: "host = \"a", says: "club.toml:1: toml: "},
		{file: "\nlog = 3", says: "club.toml:2: log is a section, not a setting; write [log] above its settings"},
		{file: "hots = 1\n[log]\nlevel = 3\n[acess]\nopen = false", says: "club.toml:1: unknown setting hots; did you mean bots or host? `ayumu config` lists them\n"},
		{file: "hots = 1\n[log]\nlevel = 3\n[acess]\nopen = false", says: "club.toml:3: log.level: must be a string in quotes\n"},
		{file: "hots = 1\n[log]\nlevel = 3\n[acess]\nopen = false", says: "club.toml:4: unknown section [acess]; did you mean access? "},
		{file: "[[limits]]\nmatches = 3", says: "club.toml:1:"},
		{file: "limits = {matches = 3}", says: "club.toml:1: matches: write a section as [NAME]"},
		{file: "host = \"a\"\nlimits = {host = \"b\"}", says: "club.toml:2: host: write a section as [NAME]"},
		{file: "limits = {a.b = 3}", says: "club.toml:1: a.b: write a section as [NAME]"},
		{file: "limits = 3", says: "club.toml:1:"},
		{file: "[limits.more]\nmatches = 3", says: "club.toml:1: unknown section [limits.more]"},
		{file: "[host]\nlimits.matches = 3", says: "club.toml:1: host: must be a string in quotes"},
		{file: "limits.matches = \"3\"", says: "club.toml:1: limits.matches: must be a number without quotes"},
		{file: "host = 3", says: "club.toml:1: host: must be a string in quotes"},
		{file: "listen = [3]", says: "club.toml:1: listen:"},
		{file: "bots = 1", says: "club.toml:1: bots:"},
		{file: "bots = \"true\"", says: "club.toml:1: bots: must be true or false, without quotes"},
		{file: "[limits]\ntables = 100001", says: "club.toml:2: limits.tables:"},
		{file: "[limits]\nchat = nan", says: "club.toml:2: limits.chat:"},
		{file: "[limits]\nconnect-rate = 1e9", says: "club.toml:2: limits.connect-rate:"},
		{file: "[limits]\nconnections = 1048577", says: "club.toml:2: limits.connections:"},
		{file: "[limits]\nmatches = 0", says: "club.toml:2: limits.matches:"},
		{file: "[limits]\nidle-lobby = \"-3s\"", says: "club.toml:2: limits.idle-lobby:"},
		{file: "[log]\nformat = \"xml\"", says: "club.toml:2: log.format: \"xml\" is not one of text, json"},
		{file: "host = \"a\"\nhost = \"b\"", says: "club.toml:2:"},
		{file: "host = \"a\"\n\nhost", says: "club.toml:3:"},
		{file: "[club]\nname = \"a\\u001b[2J\"", says: "club.toml:2: club.name:"},
		{file: "[club]\naccent = \"blau\"", says: "club.toml:2: club.accent: \"blau\" is not a colour"},
		{file: "[club]\npicture = \"/nowhere/at/all\"", says: "club.picture: "},
		{file: "[proxy]\ntrusted = [\"all\"]", says: "club.toml:2: proxy.trusted:"},
		{file: "[metrics]\nlisten = \"0.0.0.0:9\"", says: "club.toml:2: metrics.listen:"},
		{file: "listen = []", says: "listen: there is no address"},
		{env: "some", says: "AYUMU_LIMITS_MATCHES: \"some\" is not a whole number from 1 to 1000000"},
		{env: "some", arg: "--drain=soon", says: "10m0s\nAYUMU_LIMITS_MATCHES: "},
		{arg: "--drain=soon", says: "--drain: \"soon\" is not a time"},
		{arg: "--nothing=1", says: "unknown flag"},
	} {
		var args []string
		if c.arg != "" {
			args = []string{c.arg}
		}
		_, err := load(t, c.file, map[string]string{"AYUMU_LIMITS_MATCHES": c.env}, args...)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q %q %q: %v, want %q", c.file, c.env, c.arg, err, c.says)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ac", 1}, {"ac", "abc", 1},
		{"abc", "xabc", 1}, {"abc", "bac", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abc", "cab", 2}, {"abcdef", "azced", 3},
	} {
		if d := distance(c.a, c.b); d != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, d, c.want)
		}
	}
}

func TestMisspeltVariables(t *testing.T) {
	for one, right := range map[string]string{
		"AYUMU_ACCES_OPEN=false":      "AYUMU_ACCESS_OPEN",
		"AYUMU_ACCESS_OPN=false":      "AYUMU_ACCESS_OPEN",
		"AYUMU_ACCESS_OPNE=false":     "AYUMU_ACCESS_OPEN",
		"AYUMU_ACCESS__OPEN=false":    "AYUMU_ACCESS_OPEN",
		"AYUMU_ACCESS.OPEN=false":     "AYUMU_ACCESS_OPEN",
		"ayumu_access_open=false":     "AYUMU_ACCESS_OPEN",
		"AYMU_ACCESS_OPEN=false":      "AYUMU_ACCESS_OPEN",
		"AYUMUACCESS_OPEN=false":      "AYUMU_ACCESS_OPEN",
		"AYUMU_CONFG=/etc/ayumu.toml": "AYUMU_CONFIG",
		"AYUMU_STOR=postgres://db/a":  "AYUMU_STORE",
		"AYUMU_HOTS=play.example.org": "AYUMU_HOST or AYUMU_BOTS",
	} {
		unknown, err := CheckEnvironment([]string{"PATH=/bin", one})
		name, _, _ := strings.Cut(one, "=")
		if err == nil || err.Error() != "unknown variable "+name+"; did you mean "+right+"?" || len(unknown) > 0 {
			t.Errorf("%s: %v, %v", one, unknown, err)
		}
	}
	// None of these is a mistake; that of AYUMU_PUBLIC cannot be seen.
	fine := []string{"AYUMU_ACCES_OPEN=", "AYUMU_PORT=tcp://10.0.0.1:2222", "AYUMU_PORT_2222_TCP=x", "AYUMU_SERVICE_HOST=10.0.0.1", "AYUMU_PUBLIC=no", "AYUMU_DATABASE=x", "HOST=x", "A"}
	for _, name := range otherVariables {
		fine = append(fine, name+"=1")
	}
	for _, s := range Default().Settings() {
		fine = append(fine, s.Env()+"=1")
	}
	if unknown, err := CheckEnvironment(fine); err != nil || strings.Join(unknown, " ") != "AYUMU_DATABASE AYUMU_PUBLIC" {
		t.Errorf("%q, %v", unknown, err)
	}
	if _, err := CheckEnvironment([]string{"AYUMU_BOT=1", "AYUMU_ACCES_OPEN=1"}); err == nil || strings.Count(err.Error(), "did you mean") != 2 {
		t.Errorf("two misspelt variables: %v", err)
	}
}

// TestVariablesOfTestsAreKnown: a shell with the variables of the tests can start a server.
func TestVariablesOfTestsAreKnown(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../../..", func(path string, d os.DirEntry, err error) error {
		isTest := strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.Dir(path), "test") || filepath.Base(filepath.Dir(path)) == ".ci"
		if err != nil || d.IsDir() || !isTest || strings.HasSuffix(path, "config_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range regexp.MustCompile(`\bAYUMU_[A-Z_]*[A-Z]`).FindAllString(string(text), -1) {
			found++
			if unknown, wrong := CheckEnvironment([]string{name + "=1"}); wrong != nil || len(unknown) > 0 {
				t.Errorf("%s: %v, %v", path, unknown, wrong)
			}
		}
		return err
	})
	if err != nil || found < 10 {
		t.Errorf("%d variables, %v", found, err)
	}
}

func TestReadableSecretsAreNamed(t *testing.T) {
	dir := t.TempDir()
	for mode, want := range map[os.FileMode]int{0o600: 0, 0o440: 0, 0o644: 1, 0o604: 1, 0o602: 1} {
		path := filepath.Join(dir, fmt.Sprintf("%o", mode))
		if err := errors.Join(os.WriteFile(path, []byte("secret\n"), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		for _, flag := range []string{"notify-mail-password-file", "nats-credentials", "nats-key"} {
			c, err := load(t, "", nil, "--"+flag, path)
			if err != nil {
				t.Fatal(err)
			}
			all := c.Warnings()
			if len(all) != want || want > 0 && (!strings.Contains(all[0], path) || strings.Contains(all[0], "secret\n")) {
				t.Errorf("--%s with mode %o: %q", flag, mode, all)
			}
		}
	}
}

// TestSectionsAreKnownToTheReader: a section that it does not know would be refused.
func TestSectionsAreKnownToTheReader(t *testing.T) {
	for _, s := range Default().Settings() {
		section, _, found := strings.Cut(s.Key, ".")
		if err := readTOML("f", []byte("["+section+"]\n"), nil); found && err != nil {
			t.Errorf("%s: %v", s.Key, err)
		}
	}
}

func TestWhatIsPrintedIsReadBack(t *testing.T) {
	c := Default()
	c.Host, c.Listen = "quo\"te \\ \t é \u0001", []string{"a", "b"}
	c.Limits.ConnectRate = 2.5
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := load(t, b.String(), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	if live, restart := c.Changed(back); len(live)+len(restart) > 0 {
		t.Errorf("differs in %v %v\n%s", live, restart, &b)
	}
	for _, s := range c.Settings() {
		if s.Help == "" || strings.ContainsAny(s.Key, "_ ") {
			t.Errorf("setting %+v", s.Key)
		}
	}
}

func FuzzTOML(f *testing.F) {
	var b bytes.Buffer
	if err := Default().Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("a.b = 1\n[limits]\nchannels=0x10"))
	f.Add([]byte("listen = [\n# c\n\"a\", # d\n]\n[[x]]"))
	f.Fuzz(func(t *testing.T, content []byte) {
		c := Default()
		if err := readTOML("f", content, c.Settings()); err != nil {
			return
		}
		var b bytes.Buffer
		if err := c.Write(&b); err != nil {
			t.Fatal(err)
		}
		again := Default()
		if err := readTOML("again", b.Bytes(), again.Settings()); err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		if live, restart := c.Changed(again); len(live)+len(restart) > 0 {
			t.Fatalf("differs in %v %v", live, restart)
		}
	})
}

func TestStoreIsCheckedAndPrintedWithoutPassword(t *testing.T) {
	for setting, want := range map[string]string{
		"":                                  "",
		"sqlite:/var/lib/ayumu/a.db":        "sqlite:/var/lib/ayumu/a.db",
		"postgres://ana@db/ayumu":           "postgres://ana@db/ayumu",
		"postgres://ana:secret@db/ayumu":    "postgres://ana:xxxxx@db/ayumu",
		"postgresql://db/a?password=secret": "postgresql://db/a?password=xxxxx",
		"postgres://ana:secret@[::1/ayumu":  "postgres://xxxxx",
	} {
		c, err := load(t, "store = \""+setting+"\"", nil)
		if err != nil || c.Store != setting {
			t.Errorf("%q: %+v, %v", setting, c, err)
			continue
		}
		var out bytes.Buffer
		if err := c.Write(&out); err != nil || !strings.Contains(out.String(), "store = \""+want+"\"") || strings.Contains(out.String(), "secret") {
			t.Errorf("%q: %s%v", setting, out.String(), err)
		}
	}
	for _, wrong := range []string{"ayumu.db", "sqlite:", "mysql://ana:secret@db/ayumu", "host=db password=secret"} {
		if _, err := load(t, "", map[string]string{"AYUMU_STORE": wrong}); err == nil || !strings.Contains(err.Error(), "AYUMU_STORE: ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestNodeHasAName(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":                                  host + ":2222",
		"--listen=127.0.0.1:2223":           host + ":2223",
		"--node=a.b-C_1:22":                 "a.b-C_1:22",
		"--node=" + strings.Repeat("x", 40): strings.Repeat("x", 40),
	} {
		c, err := load(t, "", nil, strings.Fields(args)...)
		if err != nil || c.NodeName() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	for _, wrong := range []string{"a b", "-a", "a/b", strings.Repeat("x", 41), "é"} {
		if _, err := load(t, "", nil, "--node="+wrong); err == nil || !strings.Contains(err.Error(), "--node: ") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestNATSIsCheckedAndPrintedWithoutPassword(t *testing.T) {
	for setting, want := range map[string]string{
		"":                              "",
		"nats://127.0.0.1:4222":         "nats://127.0.0.1:4222",
		"tls://ana:secret@h,nats://i:1": "tls://xxxxx@h,nats://i:1",
		"nats://secret@[::1]:4222":      "nats://xxxxx@[::1]:4222",
	} {
		c, err := load(t, "nats = \""+setting+"\"\nnats-prefix = \"a.b\"", nil)
		if err != nil || c.NATS.URL != setting || c.NATS.Prefix != "a.b" {
			t.Errorf("%q: %+v, %v", setting, c, err)
			continue
		}
		var out bytes.Buffer
		if err := c.Write(&out); err != nil || !strings.Contains(out.String(), "nats = \""+want+"\"") || strings.Contains(out.String(), "secret") {
			t.Errorf("%q: %s%v", setting, out.String(), err)
		}
	}
	for _, wrong := range []string{"127.0.0.1:4222", "http://secret@h", "nats://", "nats://h,secret"} {
		if _, err := load(t, "", map[string]string{"AYUMU_NATS": wrong}); err == nil || !strings.Contains(err.Error(), "AYUMU_NATS: ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := load(t, "nats-prefix = \"a.>\"", nil); err == nil {
		t.Error("a prefix with a wildcard is accepted")
	}
}
