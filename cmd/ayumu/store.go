package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"charm.land/log/v2"
	"github.com/spf13/cobra"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/games"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres"
	"ayumu/lobby/store/sqlite"
)

// location is where a store has its data.
type location interface {
	// open opens the store, or creates it.
	open(ctx context.Context) (store.Store, error)
	// find returns an error if there is certainly no store.
	find() error
	// lock reserves the store for a tool that must not run beside a server.
	lock(ctx context.Context) (unlock func(), err error)
	// lockNode reserves the store for a server: a name in a database that several share, or the whole store. lost
	// is called, from another goroutine, if another process has taken the name; the server must stop then.
	lockNode(ctx context.Context, name string, lost func(error)) (unlock func(), err error)
	// String names the location in messages, without a password.
	String() string
}

// locate returns the location that a setting names; if it is empty, the data file in a folder.
func locate(setting, dir string) (location, error) {
	kind, rest, err := config.SplitStore(setting)
	switch {
	case err != nil:
		return nil, err
	case kind == config.StorePostgres:
		return postgresURL(rest), nil
	case rest == "":
		rest = filepath.Join(dir, sqlite.FileName)
	}
	return sqliteFile(rest), nil
}

// sqliteFile is the path of a data file.
type sqliteFile string

func (f sqliteFile) String() string { return string(f) }

func (f sqliteFile) open(ctx context.Context) (store.Store, error) {
	return sqlite.Open(ctx, string(f), games.Rules())
}

func (f sqliteFile) find() error {
	if _, err := os.Stat(string(f)); err != nil {
		return fmt.Errorf("there is no data file %s; set its folder with --data, or the store with --store", f)
	}
	return nil
}

// lock locks the folder of the file, as servers that have the file in their data folder do.
func (f sqliteFile) lock(context.Context) (unlock func(), err error) {
	return lockData(filepath.Dir(string(f)))
}

func (f sqliteFile) lockNode(ctx context.Context, _ string, _ func(error)) (unlock func(), err error) {
	return f.lock(ctx)
}

// postgresURL is the connection string of a PostgreSQL database.
type postgresURL string

func (u postgresURL) String() string { return config.RedactStore(string(u)) }

func (u postgresURL) open(ctx context.Context) (store.Store, error) {
	return postgres.Open(ctx, string(u), games.Rules())
}

func (postgresURL) find() error { return nil } // Open describes a database that does not exist

func (u postgresURL) lock(ctx context.Context) (unlock func(), err error) {
	return postgres.Lock(ctx, string(u))
}

func (u postgresURL) lockNode(ctx context.Context, name string, lost func(error)) (unlock func(), err error) {
	return postgres.LockNode(ctx, string(u), name, lost)
}

// storeFlags are the flags of a command that opens the store.
type storeFlags struct{ dir, store string }

// add adds the flags to a command.
func (f *storeFlags) add(cmd *cobra.Command) {
	dataFlag(cmd, &f.dir)
	cmd.Flags().StringVar(&f.store, "store", "", "store: sqlite:PATH or postgres://USER@HOST/NAME; empty: the data file in --data (AYUMU_STORE)")
}

// location returns the location that the flags and the environment name.
func (f *storeFlags) location() (location, error) {
	setting := f.store
	if setting == "" {
		setting = os.Getenv("AYUMU_STORE")
	}
	return locate(setting, f.dir)
}

// open opens the existing store. A server may be using it.
func (f *storeFlags) open(ctx context.Context) (store.Store, error) {
	l, err := f.location()
	if err != nil {
		return nil, err
	}
	if err := l.find(); err != nil {
		return nil, err
	}
	return openForTool(ctx, l)
}

// openForTool opens a store beside its server, if one runs. It does not upgrade a data file that a server uses, which
// is one of an older version. (Open itself does not upgrade a PostgreSQL database that nodes use.)
func openForTool(ctx context.Context, l location) (store.Store, error) {
	if file, ok := l.(sqliteFile); ok && sqlite.NeedsUpgrade(ctx, string(file)) {
		unlock, err := file.lock(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s was written by an older version of ayumu and has to be upgraded: %w", file, err)
		}
		defer unlock()
	}
	db, err := l.open(ctx)
	if err == nil {
		printUpgrade(os.Stderr, l, db)
	}
	return db, err
}

// printUpgrade writes a line if opening a store upgraded it.
func printUpgrade(out io.Writer, l location, db store.Store) {
	u := db.Upgraded()
	switch {
	case u == nil:
	case u.Copy == "":
		fmt.Fprintf(out, "upgraded %s from schema %d to %d\n", l, u.From, u.To)
	default:
		fmt.Fprintf(out, "upgraded %s from schema %d to %d; %s is as it was before\n", l, u.From, u.To, u.Copy)
	}
}

// logUpgrade logs that opening the store of a server upgraded it.
func logUpgrade(logger *log.Logger, db store.Store) {
	u := db.Upgraded()
	switch {
	case u == nil:
	case u.Copy == "":
		logger.Info("database upgraded", "from", u.From, "to", u.To)
	default:
		logger.Info("data file upgraded", "from", u.From, "to", u.To, "copy", u.Copy)
	}
}

// withStore returns the run function of a command that works on the store that its flags name.
func (f *storeFlags) withStore(do func(cmd *cobra.Command, db store.Store, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		db, err := f.open(cmd.Context())
		if err != nil {
			return err
		}
		defer db.Close()
		return do(cmd, db, args)
	}
}
