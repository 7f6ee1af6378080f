package config

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"time"
)

// Web says where the web pages are served.
type Web struct {
	Listen      string // address; empty: none
	URL         string // public address; empty: only the names of this machine are served
	Certificate string // file; empty: without TLS
	Key         string
	Proxies     []string // whose X-Forwarded-For is believed
}

// checkWebURL returns an error for what is no public address of a server.
func checkWebURL(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return fmt.Errorf("%q is not an address such as https://play.example.org", s)
	}
	return nil
}

// PublicURL returns the public address; nil: none.
func (w Web) PublicURL() *url.URL {
	if w.URL == "" {
		return nil
	}
	u, err := url.Parse(w.URL)
	if err != nil { // it was checked when it was set
		return nil
	}
	u.Path = ""
	return u
}

// ProxyPrefixes returns the prefixes of the proxies.
func (w Web) ProxyPrefixes() []netip.Prefix { return prefixes(w.Proxies) }

// certificateInterval is how often the files of a certificate are looked at, which a client renews without a restart.
const certificateInterval = time.Minute

// TLS returns the configuration of a listener; nil: without TLS. It reads the certificate again when its file has changed.
func (w Web) TLS() (*tls.Config, error) {
	if w.Certificate == "" && w.Key == "" {
		return nil, nil
	}
	if w.Certificate == "" || w.Key == "" {
		return nil, errors.New("web-certificate and web-key need each other")
	}
	f := &certificateFile{web: w}
	if _, err := f.get(nil); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: f.get}, nil
}

// certificateFile keeps a certificate. Any goroutine may use it.
type certificateFile struct {
	web Web

	mu       sync.Mutex
	current  *tls.Certificate
	modified time.Time
	looked   time.Time
}

// get returns the certificate. If a newer one cannot be read, it returns the one before.
func (f *certificateFile) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if f.current != nil && now.Sub(f.looked) < certificateInterval {
		return f.current, nil
	}
	f.looked = now
	info, err := os.Stat(f.web.Certificate)
	if err == nil && f.current != nil && info.ModTime().Equal(f.modified) {
		return f.current, nil
	}
	if err == nil {
		var c tls.Certificate
		if c, err = tls.LoadX509KeyPair(f.web.Certificate, f.web.Key); err == nil {
			f.current, f.modified = &c, info.ModTime()
		}
	}
	if f.current != nil {
		return f.current, nil
	}
	return nil, err
}
