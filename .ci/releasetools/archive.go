package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"time"
)

// writeArchive writes the archive of a target: a zip file for Windows.
func (r *release) writeArchive(target string) error {
	name := fmt.Sprintf("ayumu-%s-%s", r.version, strings.ReplaceAll(target, "/", "-"))
	program := file{name: "ayumu", mode: 0o755, content: r.program[target]}
	isWindows := strings.HasPrefix(target, "windows/")
	if isWindows {
		program.name += ".exe"
	}
	all := append([]file{program}, r.shared...)
	for i := range all {
		all[i].name = name + "/" + all[i].name
	}
	if isWindows {
		content, err := zipped(all, r.time)
		if err != nil {
			return err
		}
		return r.write(name+".zip", content)
	}
	content, err := tarred(all, r.time)
	if err != nil {
		return err
	}
	content, err = compressed(content)
	if err != nil {
		return err
	}
	return r.write(name+".tar.gz", content)
}

// tarred returns files as a tar archive, all with one time.
func tarred(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Uid: f.uid, Gid: f.uid, Size: int64(len(f.content)), ModTime: at, Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
		if f.content == nil {
			h.Name, h.Typeflag = f.name+"/", tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// compressed returns content in the format of gzip, without a name or a time.
func compressed(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// zipped returns files as a zip archive, all with one time.
func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		part, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
