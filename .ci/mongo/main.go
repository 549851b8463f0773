// Command mongoserver is the MongoDB-protocol server of the tests: FerretDB with its data in SQLite
// files, on a loopback port, as one process that a test may kill and start again.
//
// It prints its address ("mongodb://127.0.0.1:NNNNN/") as the first line of standard output once
// connections are accepted, and logs errors to standard error.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "TCP address; port 0 takes a free one")
	data := flag.String("data", "", "folder of the data; made if missing")
	flag.Parse()
	if *data == "" {
		log.Fatal("-data FOLDER is required")
	}
	folder, err := filepath.Abs(*data)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		log.Fatal(err)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: *listen},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: "file:" + folder + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// MongoDBURI waits until Run has bound the port, so it must not be asked for before or after.
	go func() { fmt.Println(server.MongoDBURI()) }()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
