package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// object is a JSON object. Its fields are written sorted, so that the bytes are the same each time.
type object = map[string]any

// blobs are the parts of an image that is being made.
type blobs []file

// add adds a part and returns its descriptor.
func (b *blobs) add(mediaType string, content []byte) object {
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	*b = append(*b, file{name: "blobs/sha256/" + sum, mode: 0o644, content: content})
	return object{"mediaType": mediaType, "digest": "sha256:" + sum, "size": len(content)}
}

// addJSON adds a part that is JSON and returns its descriptor.
func (b *blobs) addJSON(mediaType string, o object) (object, error) {
	content, err := json.Marshal(o)
	return b.add(mediaType, content), err
}

// Media types of OCI.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// writeImage writes an OCI archive with one image for the Linux targets amd64 and arm64, as the Dockerfile makes it: the
// program, and a folder for its data that belongs to an unprivileged user.
func (r *release) writeImage(targets []string) error {
	var all blobs
	var manifests []object
	for _, target := range targets {
		if target == "linux/amd64" || target == "linux/arm64" {
			m, err := r.addImage(&all, target)
			if err != nil {
				return err
			}
			manifests = append(manifests, m)
		}
	}
	if manifests == nil {
		return nil
	}
	image, err := all.addJSON(typeIndex, object{"schemaVersion": 2, "mediaType": typeIndex, "manifests": manifests})
	if err != nil {
		return err
	}
	image["annotations"] = object{"org.opencontainers.image.ref.name": "localhost/ayumu:" + r.version}
	index, err := json.Marshal(object{"schemaVersion": 2, "mediaType": typeIndex, "manifests": []object{image}})
	if err != nil {
		return err
	}
	content, err := tarred(append([]file{
		{name: "oci-layout", mode: 0o644, content: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", mode: 0o644, content: index},
	}, all...), r.time)
	if err != nil {
		return err
	}
	return r.write("ayumu-"+r.version+"-oci.tar", content)
}

// addImage adds the image of a target and returns the descriptor of its manifest.
func (r *release) addImage(all *blobs, target string) (object, error) {
	const user = 65532
	layer, err := tarred([]file{
		{name: "ayumu", mode: 0o755, content: r.program[target]},
		{name: "data", mode: 0o700, uid: user},
		{name: "data/.ssh", mode: 0o700, uid: user},
	}, r.time)
	if err != nil {
		return nil, err
	}
	packed, err := compressed(layer)
	if err != nil {
		return nil, err
	}
	_, arch, _ := strings.Cut(target, "/")
	labels := object{
		"org.opencontainers.image.title":       "Ayumu",
		"org.opencontainers.image.description": "A server for the board games Ayu and Mu, played over SSH",
		"org.opencontainers.image.licenses":    "MIT",
		"org.opencontainers.image.version":     "v" + r.version,
		"org.opencontainers.image.revision":    r.commit,
	}
	config, err := all.addJSON(typeConfig, object{
		"created": r.time.Format(time.RFC3339), "os": "linux", "architecture": arch,
		"rootfs": object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
		"config": object{
			"User": fmt.Sprintf("%d:%d", user, user), "WorkingDir": "/data", "Volumes": object{"/data": object{}},
			"Env":          []string{"AYUMU_LISTEN=:2222", "AYUMU_DATA=/data", "AYUMU_HOST_KEY=/data/.ssh/ayumu_ed25519"},
			"ExposedPorts": object{"2222/tcp": object{}}, "StopSignal": "SIGTERM",
			"Entrypoint": []string{"/ayumu"}, "Cmd": []string{"serve"}, "Labels": labels,
			"Healthcheck": object{"Test": []string{"CMD", "/ayumu", "health"}, "Interval": 30 * time.Second, "Timeout": 12 * time.Second, "StartPeriod": time.Minute},
		},
	})
	if err != nil {
		return nil, err
	}
	m, err := all.addJSON(typeManifest, object{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []object{all.add(typeLayer, packed)}, "annotations": labels,
	})
	if err != nil {
		return nil, err
	}
	m["platform"] = object{"os": "linux", "architecture": arch}
	return m, nil
}
