package lobby

import (
	"fmt"
	"testing"

	"ayumu/lobby/account"
)

// BenchmarkUserListReplace adds and removes a user.
func BenchmarkUserListReplace(b *testing.B) {
	for _, n := range []int{1000, 5000, 50000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var l UserList
			for i := range n {
				l = l.Replace(nil, listing(account.ID(i+1), fmt.Sprintf("name%d", i*7919%n)))
			}
			u := listing(account.ID(n+1), "name5")
			b.ReportAllocs()
			for b.Loop() {
				_ = l.Replace(nil, u).Replace(u, nil)
			}
		})
	}
}
