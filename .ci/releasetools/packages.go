package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/arch"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// formats are the formats of packages, as nfpm names them.
var formats = []string{"deb", "rpm", "apk", "archlinux"}

// architectures are the names that nfpm has for those of Go.
var architectures = map[string]string{"amd64": "amd64", "arm64": "arm64", "arm": "arm7", "riscv64": "riscv64"}

// maintainer is who publishes the packages. Whoever does so has an address to put here.
const maintainer = "The Ayumu authors <ayumu@localhost>"

// writePackages writes the packages of a target, if it is one of Linux.
func (r *release) writePackages(target string) error {
	system, arch, _ := strings.Cut(target, "/")
	if system != "linux" {
		return nil
	}
	root := filepath.Join(scratch, "package")
	installed, err1 := r.script("postinstall.sh")
	removed, err2 := r.script("preremove.sh")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, format := range formats {
		contents, err := r.contents(root, target, format)
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "ayumu", Arch: architectures[arch], Platform: "linux", Version: r.version, Release: "1", Section: "net", Priority: "optional",
			Maintainer: maintainer, License: "MIT", MTime: r.time, DisableGlobbing: true,
			Description: "Board games Ayu and Mu, played over SSH\nA server for two abstract board games that players reach with any SSH client,\nand the programs to play against the built-in players, to run engines and to\nreview games.",
			Overridables: nfpm.Overridables{
				Contents: contents, Umask: 0o022,
				Scripts:   nfpm.Scripts{PostInstall: installed, PreRemove: removed},
				RPM:       nfpm.RPM{BuildHost: "localhost", Summary: "Board games Ayu and Mu, played over SSH", Group: "Amusements/Games"},
				ArchLinux: nfpm.ArchLinux{Packager: maintainer},
			},
		})
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := packager.Package(info, &out); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
		if err := r.write(packager.ConventionalFileName(info), out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// script copies a script of the packages and returns its path. The copy has the time of the commit, which is that of the
// script in a package of Alpine.
func (r *release) script(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join("docs/packaging", name))
	path := filepath.Join(scratch, name)
	if err == nil {
		err = os.WriteFile(path, text, 0o755)
	}
	if err == nil {
		err = os.Chtimes(path, r.time, r.time)
	}
	return path, err
}

// contents writes what a package installs below a folder, and returns where it goes.
func (r *release) contents(root, target, format string) (files.Contents, error) {
	var all files.Contents
	var failed error
	add := func(path string, mode os.FileMode, kind string, content []byte) {
		source := filepath.Join(root, path)
		err := os.MkdirAll(filepath.Dir(source), 0o755)
		if err == nil {
			err = os.WriteFile(source, content, mode)
		}
		if err != nil {
			failed = err
		}
		all = append(all, &files.Content{Source: source, Destination: path, Type: kind, FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.time, Owner: "root", Group: "root"}})
	}
	read := func(name string) []byte {
		content, err := os.ReadFile(name)
		if err != nil {
			failed = err
		}
		return content
	}
	packed := func(content []byte) []byte {
		out, err := compressed(content)
		if err != nil {
			failed = err
		}
		return out
	}
	add("/usr/bin/ayumu", 0o755, "", r.program[target])
	add("/etc/ayumu/ayumu.toml", 0o644, files.TypeConfigNoReplace, read("docs/packaging/ayumu.toml"))
	for _, unit := range []string{"ayumu.service", "ayumu-backup.service", "ayumu-backup.timer"} {
		text := bytes.ReplaceAll(read("docs/hosting/"+unit), []byte("/usr/local/bin/"), []byte("/usr/bin/"))
		folder := "/usr/lib/systemd/system/"
		if format == "deb" {
			folder = "/lib/systemd/system/" // where the tools of Debian 12 look for it
		}
		add(folder+unit, 0o644, "", text)
	}
	zsh := "/usr/share/zsh/site-functions/_ayumu"
	if format == "deb" {
		zsh = "/usr/share/zsh/vendor-completions/_ayumu"
		add("/usr/share/doc/ayumu/copyright", 0o644, "", copyright(read("LICENSE")))
		entry := fmt.Sprintf("ayumu (%s-1) unstable; urgency=medium\n\n  * Version %s; changelog.gz describes it.\n\n -- %s  %s\n", strings.Replace(r.version, "-", "~", 1), r.version, maintainer, r.time.Format(time.RFC1123Z))
		add("/usr/share/doc/ayumu/changelog.Debian.gz", 0o644, "", packed([]byte(entry)))
		add("/usr/share/lintian/overrides/ayumu", 0o644, "", read("docs/packaging/lintian-overrides"))
	}
	for _, f := range r.shared {
		switch f.name {
		case "ayumu.1":
			add("/usr/share/man/man1/ayumu.1.gz", 0o644, "", packed(f.content))
		case "completions/ayumu.bash":
			add("/usr/share/bash-completion/completions/ayumu", 0o644, "", f.content)
		case "completions/_ayumu":
			add(zsh, 0o644, "", f.content)
		case "completions/ayumu.fish":
			add("/usr/share/fish/vendor_completions.d/ayumu.fish", 0o644, "", f.content)
		case "CHANGELOG.md":
			add("/usr/share/doc/ayumu/changelog.gz", 0o644, "", packed(f.content))
		case "LICENSES.modules":
			add("/usr/share/doc/ayumu/LICENSES.modules.gz", 0o644, "", packed(f.content))
		case "LICENSE":
			if format != "deb" {
				add("/usr/share/licenses/ayumu/LICENSE", 0o644, "", f.content)
			}
		default:
			add("/usr/share/doc/ayumu/"+filepath.Base(f.name), 0o644, "", f.content)
		}
	}
	return all, failed
}

// copyright returns the file of that name of a Debian package.
func copyright(licence []byte) []byte {
	text := "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Ayumu\nComment: The program has code of the modules that\n /usr/share/doc/ayumu/LICENSES.modules.gz lists with their licences.\n\nFiles: *\n"
	var body strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(string(licence)), "\n") {
		switch {
		case strings.HasPrefix(line, "Copyright"):
			text += "Copyright: " + strings.TrimPrefix(line, "Copyright (c) ") + "\n"
		case line == "MIT License":
		case line == "":
			if body.Len() > 0 {
				body.WriteString(" .\n")
			}
		default:
			body.WriteString(" " + line + "\n")
		}
	}
	return []byte(text + "License: MIT\n" + body.String())
}
