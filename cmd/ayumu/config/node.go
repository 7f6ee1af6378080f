package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// NATS says how nodes notify each other of changes.
type NATS struct {
	URL    string // nats://HOST:PORT, or several with commas between them; empty: nodes find changes by polling
	Prefix string // of the subject
	// Files: the user's credentials, the authorities of the server's certificate, the client's own certificate and
	// key. Empty: none.
	Credentials, CA, Certificate, Key string
}

// maxNodeName is the maximum length of a node's name.
const maxNodeName = 40

var nodeName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]*$`)

// checkNode returns an error for what is no name of a node.
func checkNode(s string) error {
	if s != "" && (len(s) > maxNodeName || !nodeName.MatchString(s)) {
		return fmt.Errorf("%q is not a name of at most %d letters, digits, dots, colons and hyphens", s, maxNodeName)
	}
	return nil
}

// NodeName returns the node's name: that of the setting, or one of the host name and the port.
func (c *Config) NodeName() string {
	if c.Node != "" {
		return c.Node
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "node"
	}
	suffix := ""
	if _, port, err := net.SplitHostPort(c.Listen[0]); err == nil {
		suffix = ":" + port
	}
	host = regexp.MustCompile(`[^A-Za-z0-9.-]+`).ReplaceAllString(host, "-")
	name := host[:min(len(host), max(maxNodeName-len(suffix), 0))] + suffix
	return cmp.Or(name[:min(len(name), maxNodeName)], "node")
}

// errNATS does not contain what was given, which can have a password.
var errNATS = errors.New("that is not a URL such as nats://nats.example.org:4222 or tls://nats.example.org:4222")

// checkNATS returns an error for what is no list of URLs of NATS servers.
func checkNATS(setting string) error {
	if setting == "" {
		return nil
	}
	for server := range strings.SplitSeq(setting, ",") {
		u, err := url.Parse(strings.TrimSpace(server))
		if err != nil || u.Hostname() == "" {
			return errNATS
		}
		switch u.Scheme {
		case "nats", "tls", "ws", "wss":
		default:
			return errNATS
		}
	}
	return nil
}

// redactNATS returns a list of URLs with xxxxx in place of users, tokens and passwords.
func redactNATS(setting string) string {
	all := strings.Split(setting, ",")
	for i, server := range all {
		scheme, rest, _ := strings.Cut(server, "://")
		if _, host, found := strings.Cut(rest, "@"); found {
			all[i] = scheme + "://xxxxx@" + host
		}
	}
	return strings.Join(all, ",")
}

// natsURL returns the value of the setting "nats", which is printed without what may be secret.
func natsURL(p *string) value {
	v := text(p, checkNATS)
	v.get = func() string { return redactNATS(*p) }
	return v
}

// checkSubject returns an error for what cannot begin a subject of NATS.
func checkSubject(s string) error {
	if s == "" || strings.ContainsAny(s, " \t*>") || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") {
		return fmt.Errorf("%q is not a prefix of subjects such as ayumu", s)
	}
	return nil
}

// checkNodes returns everything that would keep a server from being one of several nodes.
func (c *Config) checkNodes(add func(key string, err error)) {
	if c.NATS.URL != "" {
		if kind, _, _ := SplitStore(c.Store); kind != StorePostgres {
			add("nats", errors.New("only the nodes of a PostgreSQL database notify each other; set store to postgres://…"))
		}
	}
	for _, s := range []struct{ key, file string }{
		{"nats-credentials", c.NATS.Credentials}, {"nats-ca", c.NATS.CA},
		{"nats-certificate", c.NATS.Certificate}, {"nats-key", c.NATS.Key},
	} {
		if s.file != "" {
			_, err := readFile(s.file)
			add(s.key, err)
		}
	}
	if (c.NATS.Certificate == "") != (c.NATS.Key == "") {
		add("nats-key", errors.New("a certificate and its key are needed together; set nats-certificate and nats-key"))
	}
}
