// Command dex is Dex, an identity provider, with passwords in its configuration and everything else
// in memory: to try signing in with an issuer that isn't part of Slipway. Dex's own command needs a
// C compiler, for SQLite.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	gosundheit "github.com/AppsFlyer/go-sundheit"
	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/dexidp/dex/web"
)

// configuration is a subset of the configuration of Dex's own command, as JSON.
type configuration struct {
	Issuer          string
	Web             struct{ HTTP string }
	StaticClients   []storage.Client
	StaticPasswords []password
}

type password struct {
	Email, Username, UserID string
	// Hash is the bcrypt hash of the password.
	Hash string
}

func main() {
	file := flag.String("config", "", "the configuration file (JSON)")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	var config configuration
	if err := json.Unmarshal(text, &config); err != nil {
		log.Fatalf("%s: %v", *file, err)
	}
	handler, err := newServer(config)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("%s listens on %s", config.Issuer, config.Web.HTTP)
	listener := http.Server{
		Addr:              config.Web.HTTP,
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
	}
	log.Fatal(listener.ListenAndServe())
}

func newServer(config configuration) (http.Handler, error) {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	passwords := make([]storage.Password, len(config.StaticPasswords))
	for i, each := range config.StaticPasswords {
		passwords[i] = storage.Password{
			Email: each.Email, Username: each.Username, UserID: each.UserID, Hash: []byte(each.Hash),
		}
	}
	store := memory.New(logger)
	store = storage.WithStaticClients(store, config.StaticClients)
	store = storage.WithStaticPasswords(store, passwords, logger)
	local := storage.Connector{ID: server.LocalConnector, Type: server.LocalConnector, Name: "Email"}
	store = storage.WithStaticConnectors(store, []storage.Connector{local})
	refresh, err := server.NewRefreshTokenPolicy(logger, true, "", "", "")
	if err != nil {
		return nil, err
	}
	return server.NewServer(context.Background(), server.Config{
		Issuer:             config.Issuer,
		Storage:            store,
		SkipApprovalScreen: true,
		RefreshTokenPolicy: refresh,
		HealthChecker:      gosundheit.New(),
		Web:                server.WebConfig{WebFS: web.FS()},
		Logger:             logger,
	})
}
