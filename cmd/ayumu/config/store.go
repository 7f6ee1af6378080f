package config

import (
	"errors"
	"net/url"
	"strings"
)

// StoreKind is the kind of a store.
type StoreKind int

// The kinds of stores.
const (
	StoreSQLite StoreKind = iota
	StorePostgres
)

// errStore does not contain what was given, which can have a password.
var errStore = errors.New("that is not a store such as sqlite:/var/lib/ayumu/ayumu.db or postgres://ayumu@db.example.org/ayumu")

// SplitStore returns the kind of the store that the setting "store" names, and its path or URL. Of an empty
// setting the path is empty.
func SplitStore(setting string) (kind StoreKind, rest string, err error) {
	if setting == "" {
		return StoreSQLite, "", nil
	}
	if path, ok := strings.CutPrefix(setting, "sqlite:"); ok && path != "" {
		return StoreSQLite, path, nil
	}
	if strings.HasPrefix(setting, "postgres://") || strings.HasPrefix(setting, "postgresql://") {
		return StorePostgres, setting, nil
	}
	return 0, "", errStore
}

func checkStore(setting string) error {
	_, _, err := SplitStore(setting)
	return err
}

// RedactStore returns a setting "store" with xxxxx in place of the passwords, for messages.
func RedactStore(setting string) string {
	if !strings.Contains(setting, "//") {
		return setting
	}
	u, err := url.Parse(setting)
	if err != nil {
		scheme, _, _ := strings.Cut(setting, "//")
		return scheme + "//xxxxx"
	}
	q := u.Query()
	for _, name := range []string{"password", "sslpassword"} {
		if q.Has(name) {
			q.Set(name, "xxxxx")
			u.RawQuery = q.Encode()
		}
	}
	return u.Redacted()
}

// storeURL returns the value of the setting "store", which is printed without passwords.
func storeURL(p *string) value {
	v := text(p, checkStore)
	v.get = func() string { return RedactStore(*p) }
	return v
}
