package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"

	// Registers the driver that FerretDB itself uses.
	_ "modernc.org/sqlite"
)

const lookEvery = 50 * time.Millisecond

// keepIndexes gives every collection an index that its look-ups by _id can use. FerretDB 1.24 makes one over the
// expression ->"_id" and then asks by ->'$._id', which SQLite takes for another: without this, each look-up reads
// the whole collection. New collections are found by looking; until then they are small.
func keepIndexes(ctx context.Context, folder string) {
	versions := map[string]int{}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*.sqlite"))
		for _, file := range files {
			// A database that is dropped meanwhile, or is busy, is looked at again the next time.
			if version, err := addIndexes(ctx, file, versions[file]); err == nil {
				versions[file] = version
			}
		}
		for file := range versions {
			if _, err := os.Stat(file); err != nil {
				delete(versions, file)
			}
		}
	}
}

// addIndexes adds what is missing where the schema is not of the version that was seen last, and answers with the
// version that it leaves.
func addIndexes(ctx context.Context, file string, seen int) (int, error) {
	db, err := sql.Open("sqlite", "file:"+file+"?mode=rw&_pragma=busy_timeout(5000)")
	if err != nil {
		return seen, err
	}
	defer db.Close()
	version := seen
	if err := db.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&version); err != nil || version == seen {
		return seen, err
	}
	tables, err := collections(ctx, db)
	if err != nil {
		return seen, err
	}
	for _, table := range tables {
		index := fmt.Sprintf(`CREATE INDEX IF NOT EXISTS %q ON %q (_ferretdb_sjson->'$._id')`, table+"__by_id", table)
		if _, err := db.ExecContext(ctx, index); err != nil {
			return seen, err
		}
	}
	err = db.QueryRowContext(ctx, "PRAGMA schema_version").Scan(&version)
	return version, err
}

func collections(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT table_name FROM _ferretdb_collections`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	return tables, rows.Err()
}
