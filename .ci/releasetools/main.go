// Command releasetools makes the files of a release in dist/, from a clean working tree. .ci/release builds and runs it.
//
//   - ayumu-VERSION-OS-ARCH.tar.gz or .zip: the program with its manual page, completions and licences
//   - packages for Debian, Fedora, Alpine and Arch
//   - ayumu-VERSION-oci.tar: an image for amd64 and arm64, as an OCI archive
//   - ayumu-VERSION.cdx.json: the modules that the program is made of (CycloneDX)
//   - ayumu-VERSION, in Markdown: what the change log says about the version
//   - SHA256SUMS, and SHA256SUMS.sig where AYUMU_SIGNING_KEY names an SSH key
//
// The same commit, version and Go make the same bytes: every time in the files is that of the commit.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dist is the folder of the release, and scratch a folder in it for what is no part of it.
const (
	dist    = "dist"
	scratch = "dist/.tools"
)

// targets are the operating systems and architectures of the program.
var targets = []string{"linux/amd64", "linux/arm64", "linux/arm", "linux/riscv64", "darwin/amd64", "darwin/arm64", "freebsd/amd64", "windows/amd64"}

// release is a release that is being made.
type release struct {
	version string // without v
	commit  string
	time    time.Time         // of the commit
	shared  []file            // what all archives and packages have beside the program
	program map[string][]byte // by target
}

// file is a file of an archive or image.
type file struct {
	name    string
	mode    int64
	uid     int
	content []byte // nil: a folder
}

func main() {
	selected := flag.String("targets", strings.Join(targets, ","), "operating systems and architectures")
	flag.Parse()
	if flag.NArg() != 1 {
		fail(errors.New("usage: .ci/release [-targets linux/amd64,…] VERSION"))
	}
	r, err := newRelease(flag.Arg(0))
	if err != nil {
		fail(err)
	}
	if err := r.make(strings.Split(*selected, ",")); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "release:", err)
	os.Exit(1)
}

// newRelease checks the version and the working tree.
func newRelease(version string) (*release, error) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`).MatchString(version) {
		return nil, fmt.Errorf("%q is not a version such as 1.0.0 or 1.1.0-rc.1", version)
	}
	changed, err := run("git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		return nil, fmt.Errorf("the working tree is changed; commit or stash it:\n%s", changed)
	}
	r := &release{version: version, program: make(map[string][]byte)}
	head, err := run("git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	var seconds int64
	if _, err := fmt.Sscan(head, &r.commit, &seconds); err != nil {
		return nil, err
	}
	r.time = time.Unix(seconds, 0).UTC()
	tags, err := run("git", "tag", "--points-at", "HEAD")
	if err != nil {
		return nil, err
	}
	if !slices.Contains(strings.Fields(tags), "v"+version) {
		fmt.Printf("HEAD has no tag v%s: git tag -s v%s makes it\n", version, version)
	}
	return r, nil
}

// make writes all files of the release for some targets.
func (r *release) make(targets []string) error {
	old, err := filepath.Glob(filepath.Join(dist, "*"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if path != scratch {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	for _, target := range targets {
		began := time.Now()
		path := filepath.Join(scratch, strings.ReplaceAll(target, "/", "-"))
		if _, err := run(".ci/build", target, r.version, r.commit, path); err != nil {
			return err
		}
		if r.program[target], err = os.ReadFile(path); err != nil {
			return err
		}
		fmt.Printf("%-14s %3d MB in %v\n", target, len(r.program[target])>>20, time.Since(began).Round(time.Second))
	}
	if r.shared, err = r.sharedFiles(); err != nil {
		return err
	}
	for _, target := range targets {
		if err := r.writeArchive(target); err != nil {
			return fmt.Errorf("archive for %s: %w", target, err)
		}
		if err := r.writePackages(target); err != nil {
			return fmt.Errorf("packages for %s: %w", target, err)
		}
	}
	if err := r.writeImage(targets); err != nil {
		return err
	}
	if err := r.writeComponents(targets[0]); err != nil {
		return err
	}
	if err := r.writeNotes(); err != nil {
		return err
	}
	return writeSums()
}

// write writes a file of the release.
func (r *release) write(name string, content []byte) error {
	return os.WriteFile(filepath.Join(dist, name), content, 0o644)
}

// sharedFiles returns the manual page, the completions, the documents and the licences.
func (r *release) sharedFiles() ([]file, error) {
	host := filepath.Join(scratch, "host")
	if _, err := run(".ci/build", runtime.GOOS+"/"+runtime.GOARCH, r.version, r.commit, host); err != nil {
		return nil, err
	}
	var all []file
	add := func(name string, content []byte) { all = append(all, file{name: name, mode: 0o644, content: content}) }
	for name, args := range map[string][]string{
		"ayumu.1": {"man"}, "completions/ayumu.bash": {"completion", "bash"}, "completions/_ayumu": {"completion", "zsh"}, "completions/ayumu.fish": {"completion", "fish"},
	} {
		text, err := run(host, args...)
		if err != nil {
			return nil, err
		}
		add(name, []byte(text))
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs/hosting.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		add(name, text)
	}
	licences, err := foreignLicences()
	if err != nil {
		return nil, err
	}
	add("LICENSES.modules", licences)
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// foreignLicences returns the licences of Go and of all modules that the program has code of, on any system.
func foreignLicences() ([]byte, error) {
	folders := make(map[string]string)
	for _, system := range []string{"linux", "darwin", "freebsd", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}", "./cmd/ayumu")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOFLAGS=")
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(string(out), "\n") {
			if words := strings.Fields(line); len(words) == 3 { // the main module has no version
				folders[words[0]+" "+words[1]] = words[2]
			}
		}
	}
	goRoot, err := run("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders[runtime.Version()] = strings.TrimSpace(goRoot)
	names := make([]string, 0, len(folders))
	for name := range folders {
		names = append(names, name)
	}
	slices.Sort(names)
	var all bytes.Buffer
	for _, name := range names {
		found := 0
		for _, pattern := range []string{"LICEN[CS]E*", "COPYING*", "NOTICE*"} {
			paths, err := filepath.Glob(filepath.Join(folders[name], pattern))
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					continue // a folder
				}
				fmt.Fprintf(&all, "== %s: %s\n\n%s\n\n", name, filepath.Base(path), bytes.TrimSpace(text))
				found++
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("%s has no licence in %s", name, folders[name])
		}
	}
	return all.Bytes(), nil
}

// writeComponents writes the list of modules that the program of a target records.
func (r *release) writeComponents(target string) error {
	path := filepath.Join(scratch, strings.ReplaceAll(target, "/", "-"))
	out, err := run(filepath.Join(scratch, "cyclonedx-gomod"), "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", "v"+r.version, path)
	if err != nil {
		return err
	}
	return r.write("ayumu-"+r.version+".cdx.json", []byte(out))
}

// writeNotes writes the section of the change log about the version, if there is one.
func (r *release) writeNotes() error {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	_, section, found := strings.Cut(string(text), "\n## "+r.version+"\n")
	if !found {
		fmt.Printf("CHANGELOG.md has no section %s\n", r.version)
		return nil
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return r.write("ayumu-"+r.version+".md", []byte("# Ayumu "+r.version+"\n"+section))
}

// writeSums writes the sums of all files, and signs them if a key is named.
func writeSums() error {
	paths, err := filepath.Glob(filepath.Join(dist, "*"))
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, path := range paths {
		if filepath.Base(path)[0] == '.' {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), filepath.Base(path))
	}
	name := filepath.Join(dist, "SHA256SUMS")
	if err := os.WriteFile(name, sums.Bytes(), 0o644); err != nil {
		return err
	}
	key := os.Getenv("AYUMU_SIGNING_KEY")
	if key == "" {
		fmt.Println("not signed: AYUMU_SIGNING_KEY names no key")
		return nil
	}
	_, err = run("ssh-keygen", "-Y", "sign", "-f", key, "-n", "ayumu-release", name)
	return err
}

// run runs a program and returns its output. The error has what it wrote to standard error.
func run(program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", program, strconv.Quote(strings.Join(args, " ")), err, errs.String())
	}
	return string(out), nil
}
