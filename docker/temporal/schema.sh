#!/bin/sh
# Creates Temporal's two databases and brings their schemas up to date; does no harm where they are. Server and account
# are read from SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu
for name in temporal visibility; do
  database=temporal
  if [ "$name" = visibility ]; then database=temporal_visibility; fi
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema --schema-name "postgresql/v12/$name"
done
