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

// Network returns the address range that one customer of a provider can have: an IPv4 address or an IPv6 /48, which has
// 65,536 origins. It is invalid for the zero Addr.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	p, _ := a.Prefix(48)
	return p
}
