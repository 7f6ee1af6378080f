// Package config is the one list of everything that a host can decide. Each setting has a key,
// under which it stands in a TOML file; its flag and its environment variable are made from the
// key: "access.guests" is --access-guests and AYUMU_ACCESS_GUESTS. A flag beats the environment,
// the environment the file, and the file the default.
//
// It promises that nothing is ignored: an unknown key, a key that stands twice and a value of the
// wrong form are errors that name where they stand. It imports the server for the limits, and its
// front and access for what they are told, and the screens for a host's picture and colour.
package config
