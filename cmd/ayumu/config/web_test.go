package config

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// writeCertificate writes a certificate for localhost with a serial number, and its key, and sets when it was modified.
func writeCertificate(t *testing.T, w Web, serial int64, modified time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: modified.Add(-time.Hour), NotAfter: modified.Add(1000 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{w.Key: {Type: "PRIVATE KEY", Bytes: keyDER}, w.Certificate: {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
}

// serialOver returns the serial number of the certificate that a client gets, and the version of TLS.
func serialOver(t *testing.T, c *tls.Config) (serial int64, version uint16) {
	t.Helper()
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	go func() { _ = tls.Server(server, c).Handshake() }()
	conn := tls.Client(client, &tls.Config{ServerName: "localhost", InsecureSkipVerify: true})
	if err := conn.Handshake(); err != nil {
		t.Fatal(err)
	}
	state := conn.ConnectionState()
	return state.PeerCertificates[0].SerialNumber.Int64(), state.Version
}

// TestWebCertificate serves a certificate of files, and the next one within a minute. A broken one does not replace it.
func TestWebCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		w := Web{Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
		for _, half := range []Web{{Certificate: w.Certificate}, {Key: w.Key}, w} {
			if _, err := half.TLS(); err == nil {
				t.Errorf("%+v is no error", half)
			}
		}
		if c, err := (Web{}).TLS(); c != nil || err != nil {
			t.Errorf("without files: %v, %v", c, err)
		}
		began := time.Now()
		writeCertificate(t, w, 1, began)
		c, err := w.TLS()
		if err != nil {
			t.Fatal(err)
		}
		want := func(serial int64) {
			t.Helper()
			if got, version := serialOver(t, c); got != serial || version != tls.VersionTLS13 {
				t.Errorf("certificate %d, TLS %x; want %d", got, version, serial)
			}
		}
		want(1)
		writeCertificate(t, w, 2, began.Add(time.Second))
		want(1) // the files are looked at once a minute
		<-time.After(certificateInterval)
		want(2)
		if err := os.WriteFile(w.Certificate, []byte("half a file"), 0o600); err != nil {
			t.Fatal(err)
		}
		<-time.After(certificateInterval)
		want(2)
		writeCertificate(t, w, 3, began.Add(2*time.Second))
		<-time.After(certificateInterval)
		want(3)
		if err := os.Remove(w.Certificate); err != nil {
			t.Fatal(err)
		}
		<-time.After(certificateInterval)
		want(3)
	})
}

// TestWebAddresses checks what can be a public address, and how links begin.
func TestWebAddresses(t *testing.T) {
	for _, good := range []string{"", "https://play.example.org", "https://play.example.org/", "http://localhost:8080", "https://[2001:db8::1]:8443"} {
		if err := checkWebURL(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"play.example.org", "ftp://play.example.org", "https://", "https://a@b", "https://play.example.org/club", "https://play.example.org?x=1", "https://play.example.org#x", "https://play example.org", "://"} {
		if err := checkWebURL(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
	if u := (Web{URL: "https://play.example.org/"}).PublicURL(); u == nil || u.String() != "https://play.example.org" {
		t.Error(u)
	}
}
