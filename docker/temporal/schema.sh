#!/bin/sh
# Creates Temporal's two databases and brings their schemas up to date; does no harm where they are. The password is
# read from SQL_PASSWORD.
set -eu
tool() { temporal-sql-tool --plugin postgres12 --ep temporal-db -p 5432 -u temporal "$@"; }
for name in temporal visibility; do
  database=temporal
  if [ "$name" = visibility ]; then database=temporal_visibility; fi
  tool --db "$database" create
  tool --db "$database" setup-schema -v 0.0
  tool --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/$name/versioned"
done
