// Package config declares all settings of the server, each once. A setting has a key, under which it stands
// in a TOML file; its flag and its environment variable are derived from the key: "access.guests" is
// --access-guests and AYUMU_ACCESS_GUESTS. go-toml reads the file, pflag the flags. A flag overrides the
// environment, the environment the file, and the file the default.
//
// Nothing is ignored silently: an unknown key, a key that stands twice and a value of the wrong form are
// errors with their place.
package config
