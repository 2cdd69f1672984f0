// Command registry is the local stack's image registry. go-containerregistry keeps manifests in
// memory; this command also writes them to disk, so that pushed images survive a restart.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	address := flag.String("address", "127.0.0.1:5000", "host:port to listen on")
	directory := flag.String("directory", "", "where blobs and manifests are kept")
	flag.Parse()
	if err := run(*address, *directory); err != nil {
		log.Fatal(err)
	}
}

func run(address, directory string) error {
	blobs, manifests := filepath.Join(directory, "blobs"), filepath.Join(directory, "manifests")
	for _, d := range []string{blobs, manifests} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	quiet := registry.Logger(log.New(io.Discard, "", 0))
	referrers := registry.WithReferrersSupport(true)
	blobHandler := registry.WithBlobHandler(registry.NewDiskBlobHandler(blobs))
	handler := &persistent{inner: registry.New(blobHandler, quiet, referrers), directory: manifests}
	restored, err := handler.restore()
	if err != nil {
		return err
	}
	log.Printf("%d manifests restored, listening on %s", restored, address)

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: address, Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = server.Shutdown(grace)
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stored is the content of a manifest's file.
type stored struct {
	Path      string
	MediaType string
	Manifest  []byte
}

type persistent struct {
	inner     http.Handler
	directory string
}

func (p *persistent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	changing := r.Method == http.MethodPut || r.Method == http.MethodDelete
	if !changing || !strings.Contains(r.URL.Path, "/manifests/") {
		p.inner.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	answer := p.forward(r.Method, r.URL.Path, r.Header.Get("Content-Type"), body)
	switch answer.status {
	case http.StatusCreated:
		// Stored by tag and by digest: the digest stays valid when the tag moves to another image.
		folder := r.URL.Path[:strings.LastIndex(r.URL.Path, "/")+1]
		byDigest := folder + answer.header.Get("Docker-Content-Digest")
		for _, path := range []string{byDigest, r.URL.Path} {
			if err = p.write(stored{path, r.Header.Get("Content-Type"), body}); err != nil {
				break
			}
		}
	case http.StatusAccepted:
		err = os.Remove(p.file(r.URL.Path))
	}
	if err != nil {
		log.Print(err)
		http.Error(w, "can't store the manifest", http.StatusInternalServerError)
		return
	}
	for key, values := range answer.header {
		w.Header()[key] = values
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body.Bytes())
}

// restore gives every stored manifest to the registry. The registry accepts an index only after its
// images, so restore repeats until there is no progress.
func (p *persistent) restore() (int, error) {
	files, err := filepath.Glob(filepath.Join(p.directory, "*.json"))
	if err != nil {
		return 0, err
	}
	restored := 0
	for progress := true; progress && len(files) > 0; {
		progress = false
		var refused []string
		for _, file := range files {
			var s stored
			text, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &s)
			}
			if err != nil {
				return restored, fmt.Errorf("%s: %w", file, err)
			}
			if p.forward(http.MethodPut, s.Path, s.MediaType, s.Manifest).status == http.StatusCreated {
				restored, progress = restored+1, true
			} else {
				refused = append(refused, file)
			}
		}
		files = refused
	}
	if len(files) > 0 {
		log.Printf("not restored, because their blobs or images are missing: %v", files)
	}
	return restored, nil
}

func (p *persistent) write(s stored) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	file := p.file(s.Path)
	if err := os.WriteFile(file+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func (p *persistent) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(p.directory, hex.EncodeToString(sum[:])+".json")
}

func (p *persistent) forward(method, path, mediaType string, body []byte) *buffered {
	answer := &buffered{header: http.Header{}, status: http.StatusOK}
	request, err := http.NewRequest(method, path, bytes.NewReader(body))
	if err != nil {
		answer.status = http.StatusBadRequest
		return answer
	}
	request.Header.Set("Content-Type", mediaType)
	p.inner.ServeHTTP(answer, request)
	return answer
}

// buffered holds an answer back until the manifest is on disk.
type buffered struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (b *buffered) Header() http.Header            { return b.header }
func (b *buffered) WriteHeader(status int)         { b.status = status }
func (b *buffered) Write(text []byte) (int, error) { return b.body.Write(text) }
