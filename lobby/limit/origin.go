package limit

import "net/netip"

// Origin returns the address range that is counted as one client: an IPv4 address or an IPv6 /64.
// It is invalid for the zero Addr.
func Origin(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	p, _ := a.Prefix(64)
	return p
}
