package notify_test

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
)

// resolver returns a resolver that gets the IPv4 address of every name from a function, and knows no IPv6 address.
func resolver(t *testing.T, address func() netip.Addr) *net.Resolver {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		buf := make([]byte, 512)
		for {
			n, from, err := c.ReadFrom(buf)
			if err != nil {
				return
			}
			if a := dnsAnswer(buf[:n], address); a != nil {
				c.WriteTo(a, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", c.LocalAddr().String())
	}}
}

// dnsAnswer returns the answer to a query for one name.
func dnsAnswer(query []byte, address func() netip.Addr) []byte {
	end := 12
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the end of the name, its type and class
	if end > len(query) {
		return nil
	}
	isA := binary.BigEndian.Uint16(query[end-4:]) == 1
	a := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
	if isA {
		a[7] = 1
		ip := address().As4()
		a = append(a, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		a = append(a, ip[:]...)
	}
	return a
}
