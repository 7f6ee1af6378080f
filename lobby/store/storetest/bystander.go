package storetest

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// bystanders are rows of every table that belong to two accounts with which no test has to do. In those of the second one
// no column is null.
type bystanders []bystander

type bystander struct {
	table  *store.Table
	values []any
}

// newBystanders returns the rows. All times in them are in the far future, so that nothing of them is too old.
func newBystanders() (all bystanders) {
	for number := range 2 {
		name := fmt.Sprintf("bystander %d", number)
		id := int64(math.MaxInt32 - number)
		for _, t := range store.Tables {
			if t.Name == "log" { // a view in some databases; rows are only ever added
				continue
			}
			row := bystander{table: t}
			for _, c := range t.Columns {
				row.values = append(row.values, bystanderValue(c, name, id, number == 0))
			}
			all = append(all, row)
		}
	}
	return all
}

func bystanderValue(c store.Column, name string, id int64, isNull bool) any {
	switch {
	case isNull && c.IsNull():
		return nil
	case c.Type == "id", c.Name == "account", c.Name == "other", c.Name == "sanction":
		return id
	case c.Type == "time":
		return int64(math.MaxInt64 - 1)
	case c.Type == "text":
		return name
	case c.Type == "bytes":
		return []byte(name)
	case c.Type == "bool":
		return false
	}
	return int64(1) // as the first version of a row
}

// add inserts the rows.
func (all bystanders) add(t store.Tx) error {
	for _, row := range all {
		var places []string
		for i := range row.values {
			places = append(places, fmt.Sprintf("?%d", i+1))
		}
		_, err := t.Exec(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", row.table.Name, strings.Join(row.table.ColumnNames(), ", "), strings.Join(places, ", ")), row.values...)
		if err != nil {
			return fmt.Errorf("adding a row of %s: %w", row.table.Name, err)
		}
	}
	return nil
}

// read returns the rows as they are now, as texts.
func (all bystanders) read(t store.Tx) (texts []string, err error) {
	for _, row := range all {
		var where []string
		for i, c := range row.table.Key {
			where = append(where, fmt.Sprintf("%s = ?%d", c, i+1))
		}
		columns := make([]any, len(row.values))
		targets := make([]any, len(row.values))
		for i := range columns {
			targets[i] = &columns[i]
		}
		query := fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(row.table.ColumnNames(), ", "), row.table.Name, strings.Join(where, " AND "))
		text := row.table.Name + ": gone"
		err := store.Scan(context.Background(), t, query, row.values[:len(where)], func(r store.RowScanner) error {
			err := r.Scan(targets...)
			text = fmt.Sprintf("%s: %v", row.table.Name, columns)
			return err
		})
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// checkBystanders makes a change beside the rows of bystanders, none of which may change with it, and undoes it.
func (d *Faulty) checkBystanders(ctx context.Context, op string, do func(store.Tx) error) {
	_ = d.Database.Update(ctx, op, func(t store.Tx) error {
		all := newBystanders()
		if err := all.add(t); err != nil {
			d.t.Error(err)
			return errcode.ErrNotFound
		}
		before, err := all.read(t)
		if err == nil {
			_ = do(t)
			var after []string
			if after, err = all.read(t); err == nil && !reflect.DeepEqual(before, after) {
				for i := range before {
					if before[i] != after[i] {
						d.t.Errorf("%s the store changes a row with which it has nothing to do\nfrom %s\nto   %s", op, before[i], after[i])
					}
				}
			}
		}
		if err != nil {
			d.t.Error(err)
		}
		return errcode.ErrNotFound
	})
}
