// Command ferretdb is the MongoDB of the tests: FerretDB on SQLite, which speaks MongoDB's protocol, in one
// process and without any other server. Users run MongoDB itself.
//
//	ferretdb -data <folder> [-listen 127.0.0.1:0] [-with-parent]
//
// It prints one line, "ready at mongodb://...", and serves until SIGTERM or SIGINT; with -with-parent also until
// its standard input ends, which it does when the process that started it is gone.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "", "the folder that keeps the databases")
	listen := flag.String("listen", "127.0.0.1:0", "the address to listen on; port 0 is any that is free")
	withParent := flag.Bool("with-parent", false, "stop when standard input ends")
	flag.Parse()
	if *data == "" {
		return fmt.Errorf("-data is missing")
	}
	folder, err := filepath.Abs(*data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	address, err := freeAddress(*listen)
	if err != nil {
		return err
	}

	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: address},
		Handler:  "sqlite",
		// What was acknowledged outlives this process, killed or not; a power cut is not what the tests are about.
		SQLiteURL: (&url.URL{
			Scheme: "file", OmitHost: true, Path: folder + "/", RawQuery: "_pragma=synchronous(off)",
		}).String(),
	})
	if err != nil {
		return err
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if *withParent {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	go keepIndexes(ctx, folder)

	// New listens already: a client that connects now is served as soon as Run has begun.
	fmt.Printf("ready at mongodb://%s/\n", address)
	return server.Run(ctx)
}

// freeAddress fills in a free port: FerretDB answers with the address that it was given.
func freeAddress(listen string) (string, error) {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
