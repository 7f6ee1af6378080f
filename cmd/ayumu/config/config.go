package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ayumu/lobby/limit"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles/generate"
	"ayumu/lobby/sanitize"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/sshd"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// Config has the values of all settings. Default returns one.
type Config struct {
	Listen   []string
	Data     string // folder
	Store    string // sqlite:PATH or postgres://…; empty: the data file in Data
	Node     string // name; empty: NodeName makes one
	NATS     NATS
	HostKeys []string
	Host     string // what people type after ssh; empty: found from Listen
	Bots     bool
	Puzzles  generate.Hours // when matches are searched for puzzles
	Drain    time.Duration
	Log      Log
	Access   access.Policy
	Club     Club
	Runtime  string   // of screens: RuntimeShared or RuntimeBubbleTea
	Metrics  string   // address; empty: none
	Health   string   // address; empty: none
	Proxies  []string // whose PROXY header is believed
	Web      Web
	Notify   Notify
	Limits   sshd.Limits
	Lobby    limit.Limits
}

// What can run the screens of a session.
const (
	RuntimeShared    = "shared"    // package tui/program
	RuntimeBubbleTea = "bubbletea" // a stock tea.Program
)

// Club is the name and the branding of a server.
type Club struct {
	Name, Message string
	Picture       string // file
	Accent        string // theme.ParseAccent; empty: the default colours
}

// Branding reads the file of the picture and returns the branding.
func (c Club) Branding() (server.Branding, error) {
	made := server.Branding{Name: c.Name, Message: c.Message}
	if c.Picture != "" {
		content, err := readFile(c.Picture)
		if err == nil {
			made.Picture, err = widget.ReadPicture(string(content))
		}
		if err != nil {
			return server.Branding{}, fmt.Errorf("club.picture: %s: %w", c.Picture, err)
		}
	}
	if c.Accent != "" {
		accent, err := theme.ParseAccent(c.Accent)
		if err != nil {
			return server.Branding{}, fmt.Errorf("club.accent: %w", err)
		}
		made.Themes = theme.WithAccent(accent)
	}
	return made, nil
}

// Log is the format and the level of the operator's log.
type Log struct {
	Format string // text or json
	Level  string // debug, info, warn or error
}

// Default returns the settings of a server that is open to everyone.
func Default() *Config {
	return &Config{
		Listen: []string{":2222"}, Data: ".", HostKeys: []string{filepath.Join(".ssh", "ayumu_ed25519")},
		NATS: NATS{Prefix: "ayumu"}, Bots: true, Drain: 5 * time.Second, Runtime: RuntimeShared,
		Log:    Log{Format: "text", Level: "info"},
		Notify: Notify{Webhooks: true, Codes: notify.DefaultCodeLimits()},
		Access: access.PublicPolicy(),
		Limits: sshd.DefaultLimits(), Lobby: limit.Default(),
	}
}

// Setting is one setting, bound to a field of a Config.
type Setting struct {
	Key        string
	Help       string
	Reloadable bool // a reload takes it over; others need a restart
	value
}

// Flag is the setting's flag, without the dashes.
func (s Setting) Flag() string { return strings.ReplaceAll(s.Key, ".", "-") }

// Env is the setting's environment variable.
func (s Setting) Env() string {
	return "AYUMU_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(s.Key))
}

// Settings is the list, bound to the values in c.
func (c *Config) Settings() []Setting {
	settings := []Setting{
		{"listen", "addresses to listen on", false, list(&c.Listen)},
		{"data", "folder of the data file", false, text(&c.Data)},
		{"store", "store: sqlite:PATH or postgres://USER@HOST/NAME; empty: the data file in data", false, storeURL(&c.Store)},
		{"node", "name of this node among those of a PostgreSQL database; empty: host name and port", false, text(&c.Node, checkNode)},
		{"nats", "servers over which nodes notify each other: nats://HOST:PORT or tls://HOST:PORT; empty: nodes look once a second", false, natsURL(&c.NATS.URL)},
		{"nats-prefix", "prefix of the NATS subjects, so that several lobbies can use one NATS server", false, text(&c.NATS.Prefix, checkSubject)},
		{"nats-credentials", "file with the NATS user's JWT and seed; empty: those of the URL, or none", false, text(&c.NATS.Credentials)},
		{"nats-ca", "file with the authorities of the NATS server's certificate; empty: those of the system", false, text(&c.NATS.CA)},
		{"nats-certificate", "file with this node's certificate for NATS; empty: none", false, text(&c.NATS.Certificate)},
		{"nats-key", "file with the key of nats-certificate", false, text(&c.NATS.Key)},
		{"web", "address that serves the web pages, such as 127.0.0.1:8080; empty: none", false, text(&c.Web.Listen)},
		{"web-url", "public address of the web pages, such as https://play.example.org; empty: only localhost", false, text(&c.Web.URL, checkWebURL)},
		{"web-certificate", "file with the certificate of the web pages; empty: without TLS, for a proxy in front", false, text(&c.Web.Certificate)},
		{"web-key", "file with the key of web-certificate", false, text(&c.Web.Key)},
		{"web-proxies", "addresses of proxies in front of the web pages, whose X-Forwarded-For is believed", false, list(&c.Web.Proxies, checkPrefix)},
		{"host-key", "host keys; the first is made on the first start, others are announced for a rotation", false, list(&c.HostKeys)},
		{"host", "what players type after ssh to reach the server", false, text(&c.Host)},
		{"bots", "let the built-in players play in the lobby", false, boolean(&c.Bots)},
		{"vacation-days", "days of vacation per player in any 365 days; a vacation stops the player's clocks in correspondence games; 0: none", true, count(&c.Lobby.VacationDays, 0, 365)},
		{"puzzle-hours", "time of day in UTC when rated games are searched for puzzles while the processors are idle, such as 02:00-06:00; empty: never", false, hours(&c.Puzzles)},
		{"drain", "how long sessions may take to end when the server stops", false, duration(&c.Drain, 100*time.Millisecond, 10*time.Minute)},

		{"access.open", "accept any key; false: only those in access.keys and those with an invitation", true, boolean(&c.Access.Open)},
		{"access.guests", "accept guests, who have no key; ignored if access.open is false", true, boolean(&c.Access.AllowGuests)},
		{"access.keys", "authorized_keys file with names as comments, and role=\"owner\" or role=\"moderator\" in front of a key", true, text(&c.Access.KeyFile)},

		{"club.name", "the server's name, at most 30 characters; empty: Ayumu", true, text(&c.Club.Name, oneLine(30))},
		{"club.message", "a line that is shown at sign-in, at most 200 characters", true, text(&c.Club.Message, oneLine(200))},
		{"club.picture", "file with a picture in characters, at most 76 columns and 12 lines; empty: none", true, text(&c.Club.Picture)},
		{"club.accent", "colour of the first and last line and of the chosen row: #rrggbb, or a name such as teal; empty: the usual one", true, text(&c.Club.Accent, checkAccent)},

		{"screens.runtime", "what runs the screens of sessions: shared, or bubbletea for a stock Bubble Tea program each, which needs about ten times the memory and processor time", false, oneOf(&c.Runtime, RuntimeShared, RuntimeBubbleTea)},

		{"chat.lobby", "chat in the lobby", true, boolean(&c.Access.LobbyChat)},
		{"chat.spectators", "spectator chat", true, boolean(&c.Access.SpectatorChat)},

		{"tournaments.members", "every player with a key may organize tournaments, two that have not started each; false: only moderators and owners", true, boolean(&c.Access.MembersOrganize)},

		{"ratings.apart", "refuse rated games between players with the same IPv4 address or IPv6 /64", true, boolean(&c.Lobby.RatedDistinctAddresses)},

		{"metrics.listen", "loopback address for Prometheus metrics and health; empty: none", false, text(&c.Metrics, checkLoopback)},
		{"health.listen", "address that serves /health alone, for a load balancer; empty: none", false, text(&c.Health)},
		{"proxy.trusted", "addresses of proxies; if set, only these may connect, and they must send a PROXY header", false, list(&c.Proxies, checkPrefix)},

		{"notify.webhooks", "send notifications of correspondence games to webhooks that players choose", false, boolean(&c.Notify.Webhooks)},
		{"notify.hosts", "the only hosts of webhooks, such as discord.com, or .example.org with all names under it; empty: any public host", false, list(&c.Notify.Hosts, checkHostName)},
		{"notify.private", "addresses to which webhooks may go although they are not public", false, list(&c.Notify.Private, checkPrefix)},
		{"notify.mail-server", "server that sends mail with notifications, HOST:PORT; empty: none are sent by mail", false, text(&c.Notify.MailServer, checkMailServer)},
		{"notify.mail-from", "address from which mail is sent", false, text(&c.Notify.MailFrom)},
		{"notify.mail-user", "user at the mail server; empty: no sign-in", false, text(&c.Notify.MailUser)},
		{"notify.mail-password-file", "file with the password of notify.mail-user", false, text(&c.Notify.MailPasswordFile)},

		{"log.format", "format: text or json", true, oneOf(&c.Log.Format, "text", "json")},
		{"log.level", "level: debug, info, warn or error", true, oneOf(&c.Log.Level, "debug", "info", "warn", "error")},
	}
	return append(settings, c.limits()...)
}

// FileFlag and FileEnv name the file itself.
const (
	FileFlag = "config"
	FileEnv  = "AYUMU_CONFIG"
)

// Flags adds a flag for each setting. Load reads what they were given.
func Flags(f *pflag.FlagSet) {
	f.String(FileFlag, "", "file with settings in TOML; `ayumu config` prints one ("+FileEnv+")")
	for _, s := range Default().Settings() {
		f.Var(&flagValue{defaultText: s.String(), kind: s.Type()}, s.Flag(), s.Help+" ("+s.Env()+")")
		if s.Type() == "bool" {
			f.Lookup(s.Flag()).NoOptDefVal = "true"
		}
		if strings.HasPrefix(s.Key, "limits.") {
			_ = f.MarkHidden(s.Flag()) // known to the line above
		}
	}
}

// flagValue keeps what a flag was given, for the settings to be set from it each time they are loaded.
type flagValue struct {
	defaultText, kind string
	texts             []string
}

func (g *flagValue) Set(s string) error { g.texts = append(g.texts, s); return nil }
func (g *flagValue) Type() string       { return g.kind }
func (g *flagValue) String() string {
	if len(g.texts) == 0 {
		return g.defaultText
	}
	return strings.Join(g.texts, ",")
}

// Load returns the settings of the file, the environment and the flags over the defaults, and checks
// them. It may be called again to see what has changed since.
func Load(f *pflag.FlagSet, env func(string) string) (*Config, error) {
	return Default().Load(f, env)
}

// Load returns the settings of the file, the environment and the flags over those of c, which it
// changes, and checks them.
func (c *Config) Load(f *pflag.FlagSet, env func(string) string) (*Config, error) {
	file, err := f.GetString(FileFlag)
	if err != nil {
		return nil, err
	}
	settings := c.Settings()
	if file = cmp.Or(file, env(FileEnv)); file != "" {
		content, err := readFile(file)
		if err != nil {
			return nil, err
		}
		if err := readTOML(file, content, settings); err != nil {
			return nil, err
		}
	}
	var wrong []error
	for _, s := range settings {
		if v := env(s.Env()); v != "" {
			if err := s.Set(v); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", s.Env(), err))
			}
		}
		if flag := f.Lookup(s.Flag()); flag != nil && flag.Changed {
			if err := s.Set(flag.Value.String()); err != nil {
				wrong = append(wrong, fmt.Errorf("--%s: %w", s.Flag(), err))
			}
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	_, err = c.Club.Branding()
	return c, err
}

// readFile reads a settings file, whose size is bounded so that a wrong name does no harm.
func readFile(file string) ([]byte, error) {
	const largest = 1 << 20
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err == nil && len(content) > largest {
		err = fmt.Errorf("%s is too large for settings", file)
	}
	return content, err
}

// check looks at what single values cannot show.
func (c *Config) check() error {
	switch {
	case len(c.Listen) == 0:
		return errors.New("listen: there is no address")
	case len(c.HostKeys) == 0:
		return errors.New("host-key: there is no key")
	}
	return nil
}

// Changed lists the keys in which another configuration differs from c, those that a reload takes over and
// those that need a restart.
func (c *Config) Changed(other *Config) (live, restart []string) {
	theirs := other.Settings()
	for i, s := range c.Settings() {
		switch {
		case s.String() == theirs[i].String():
		case s.Reloadable:
			live = append(live, s.Key)
		default:
			restart = append(restart, s.Key)
		}
	}
	return live, restart
}

// CopyReloadable copies to c what a reload takes over from another configuration.
func (c *Config) CopyReloadable(from *Config) error {
	theirs := from.Settings()
	for i, s := range c.Settings() {
		if s.Reloadable && s.String() != theirs[i].String() {
			if err := s.Set(theirs[i].String()); err != nil {
				return fmt.Errorf("%s: %w", s.Key, err)
			}
		}
	}
	return nil
}

// oneLine refuses what cannot be shown on one line.
func oneLine(limit int) func(string) error {
	return func(s string) error {
		if sanitize.Line(s, limit) != s {
			return fmt.Errorf("%q is not one line of plain text of at most %d characters", s, limit)
		}
		return nil
	}
}

func checkAccent(s string) error {
	if s == "" {
		return nil
	}
	_, err := theme.ParseAccent(s)
	return err
}

func checkPrefix(s string) error {
	_, err := Prefix(s)
	return err
}

// checkLoopback returns an error for an address that other machines can reach, because the metrics need no
// password.
func checkLoopback(s string) error {
	if s == "" {
		return nil
	}
	a, err := netip.ParseAddrPort(s)
	if err != nil || !a.Addr().IsLoopback() {
		return fmt.Errorf("%q is not a loopback address with a port, such as 127.0.0.1:9222", s)
	}
	return nil
}

// ProxyPrefixes returns the addresses of the trusted proxies.
func (c *Config) ProxyPrefixes() []netip.Prefix { return prefixes(c.Proxies) }

// prefixes returns the prefixes of a setting.
func prefixes(texts []string) (all []netip.Prefix) {
	for _, s := range texts {
		if p, err := Prefix(s); err == nil { // each was checked when it was set
			all = append(all, p)
		}
	}
	return all
}

// Prefix reads an address prefix; a bare address is the prefix that holds only itself.
func Prefix(s string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.Masked(), nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is neither an address nor a prefix such as 10.0.0.0/8", s)
	}
	return netip.PrefixFrom(a, a.BitLen()), nil
}
