package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"

	"ayumu/server/access"
	"ayumu/server/sshd"
)

// Check returns everything that would keep a server with these settings from starting, or would let
// every client choose its own address, as far as that shows without starting it: beyond what Load
// checks these are the addresses, and the files and folders that the settings name. `ayumu config` and
// `ayumu serve` both call it.
func (c *Config) Check() error {
	var all []error
	add := func(key string, err error) {
		if err != nil {
			all = append(all, fmt.Errorf("%s: %w", key, err))
		}
	}
	for _, addr := range c.Listen {
		add("listen", checkAddress(addr))
	}
	if c.Health != "" {
		add("health.listen", checkAddress(c.Health))
	}
	if c.Web.Listen != "" {
		add("web", checkAddress(c.Web.Listen))
		_, err := c.Web.TLS()
		add("web-certificate", err)
	}
	for _, p := range c.Web.ProxyPrefixes() {
		if p.Bits() == 0 {
			add("web-proxies", fmt.Errorf("%s covers every address, so anyone could claim to be anyone; list the proxies", p))
		}
	}
	add("data", checkFolder(c.Data))
	add("host-key", sshd.CheckHostKeys(c.HostKeys))
	if c.Access.KeyFile != "" {
		_, err := access.ReadKeyList(c.Access.KeyFile)
		add("access.keys", err)
	}
	for _, p := range c.ProxyPrefixes() {
		if p.Bits() == 0 {
			add("proxy.trusted", fmt.Errorf("%s covers every address, so anyone could claim to be anyone; list the proxies", p))
		}
	}
	for _, p := range c.Notify.PrivatePrefixes() {
		if p.Bits() == 0 {
			add("notify.private", fmt.Errorf("%s covers every address, so players could reach everything that this machine can; list the networks of receivers", p))
		}
	}
	_, err := c.Notify.Senders("", nil)
	add("notify", err)
	c.checkNodes(add)
	return errors.Join(all...)
}

// checkAddress returns an error for what cannot be listened on.
func checkAddress(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is not an address such as :2222 or 192.0.2.1:2222", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q does not have a port from 0 to 65535", addr)
	}
	if host == "" {
		return nil
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	if _, err := net.LookupHost(host); err != nil {
		return fmt.Errorf("%q: %w", addr, err)
	}
	return nil
}

// checkFolder returns an error unless files can be made in a folder.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no folder %s; create it, or choose another", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	f, err := os.CreateTemp(dir, ".ayumu-check-*")
	if err != nil {
		return fmt.Errorf("no file can be created in %s: %w; give the server's user the right to write it", filepath.Clean(dir), err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
