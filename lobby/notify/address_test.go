package notify

import (
	"net/netip"
	"strings"
	"testing"
)

// TestAllowedAddresses: webhooks reach public unicast addresses only, none of this machine, and what the operator allows.
func TestAllowedAddresses(t *testing.T) {
	own := netip.MustParseAddr("8.8.4.4")
	isOwn := func(a netip.Addr) bool { return a == own || a == netip.MustParseAddr("2606:4700::99") }
	public := NewWebhook(WebhookConfig{IsThisMachine: isOwn})
	with := NewWebhook(WebhookConfig{IsThisMachine: isOwn, Private: prefixes("10.0.0.0/8", "fd00::/8", "8.8.4.4/32")})
	for _, c := range []struct {
		addr          string
		want, allowed bool // also with what the operator allows
	}{
		{"8.8.8.8", true, true}, {"1.1.1.1", true, true}, {"223.255.255.255", true, true}, {"2606:4700::1", true, true}, {"2001:4860:4860::8888", true, true},
		{"::ffff:8.8.8.8", true, true}, {"172.15.0.1", true, true}, {"172.32.0.1", true, true}, {"100.63.255.255", true, true}, {"100.128.0.1", true, true},
		// Private networks, those that are shared, and this machine.
		{"10.0.0.1", false, true}, {"::ffff:10.0.0.1", false, true}, {"172.16.0.1", false, false}, {"172.31.255.255", false, false}, {"192.168.1.1", false, false},
		{"::ffff:192.168.1.1", false, false}, {"100.64.0.1", false, false}, {"100.127.255.255", false, false}, {"127.0.0.1", false, false},
		{"127.255.255.254", false, false}, {"::ffff:127.0.0.1", false, false}, {"::1", false, false}, {"0.0.0.0", false, false}, {"::", false, false},
		{"0.1.2.3", false, false}, {"fd00::1", false, true}, {"fc00::1", false, false}, {"fec0::1", false, false},
		// Addresses of this machine that are public.
		{"8.8.4.4", false, true}, {"::ffff:8.8.4.4", false, true}, {"2606:4700::99", false, false},
		// Link-local, with the metadata of clouds, multicast and broadcast.
		{"169.254.169.254", false, false}, {"::ffff:169.254.169.254", false, false}, {"fe80::1", false, false}, {"fe80::1%eth0", false, false},
		{"2606:4700::1%eth0", false, false}, {"224.0.0.1", false, false}, {"ff02::1", false, false}, {"255.255.255.255", false, false},
		// What translates to IPv4: compatible, translated, NAT64, 6to4, Teredo.
		{"::7f00:1", false, false}, {"::ffff:0:7f00:1", false, false}, {"::ffff:0:808:808", false, false}, {"64:ff9b::7f00:1", false, false}, {"64:ff9b::808:808", false, false},
		{"64:ff9b:1::1", false, false}, {"2002:7f00:1::", false, false}, {"2002:808:808::1", false, false}, {"2001:0:1::1", false, false}, {"192.88.99.1", false, false},
		// Documentation, benchmarks and what is reserved.
		{"192.0.2.1", false, false}, {"198.51.100.1", false, false}, {"203.0.113.1", false, false}, {"198.18.0.1", false, false}, {"192.0.0.1", false, false},
		{"240.0.0.1", false, false}, {"2001:db8::1", false, false}, {"3fff::1", false, false}, {"5f00::1", false, false}, {"100::1", false, false},
		{"1::1", false, false}, {"4000::1", false, false}, {"a000::1", false, false},
	} {
		a := netip.MustParseAddr(c.addr)
		if got := public.allows(a); got != c.want {
			t.Errorf("%s: allowed %t, want %t", a, got, c.want)
		}
		if got := with.allows(a); got != c.allowed {
			t.Errorf("%s, with what the operator allows: allowed %t, want %t", a, got, c.allowed)
		}
	}
}

// TestNormalMail: the spellings of one mailbox are one, and those of two are not.
func TestNormalMail(t *testing.T) {
	for text, want := range map[string]string{
		"Ana@Example.ORG": "ana@example.org", "ana+chess@example.org": "ana@example.org", "a.na@example.org": "a.na@example.org",
		"A.n.a+x@googlemail.com": "ana@gmail.com", "+ana@example.org": "+ana@example.org", "+bob@example.org": "+bob@example.org",
	} {
		if got := normalMail(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestLengthOfAURL is bounded: it is stored, and shown on screens.
func TestLengthOfAURL(t *testing.T) {
	const begin = "https://example.org/"
	for n, want := range map[int]bool{500: true, 501: false} {
		if _, err := parseURL(begin + strings.Repeat("a", n-len(begin))); (err == nil) != want {
			t.Errorf("%d characters: %v", n, err)
		}
	}
}

// TestOwnAddresses: the addresses of this machine are known, whether a service may ask for them or not.
func TestOwnAddresses(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1": true, "8.8.8.8": false, "2606:4700::1": false, "192.0.2.1": false} {
		if got := isMachineAddress(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %t", addr, got)
		}
	}
}

// TestOnlyTCPToPublicAddresses: the check of a connection refuses what it does not know.
func TestOnlyTCPToPublicAddresses(t *testing.T) {
	w := NewWebhook(WebhookConfig{IsThisMachine: func(netip.Addr) bool { return false }})
	for _, c := range []struct {
		network, address string
		ok               bool
	}{
		{"tcp4", "8.8.8.8:443", true}, {"tcp6", "[2606:4700::1]:443", true}, {"udp4", "8.8.8.8:443", false}, {"unix", "8.8.8.8:443", false},
		{"tcp4", "10.0.0.1:443", false}, {"tcp", "example.org:443", false}, {"tcp", "", false},
	} {
		if err := w.checkAddress(c.network, c.address, nil); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.network, c.address, err)
		}
	}
}
