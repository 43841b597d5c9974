#!/bin/bash
# The role of the web and worker processes: it reads and writes rows but cannot change the schema; the release step uses
# the owner's role. Runs when the database is created. Running it again resets the password and adds missing grants.
set -euo pipefail
: "${POSTGRES_APP_PASSWORD:?is not set}"
psql --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set password="$POSTGRES_APP_PASSWORD" <<'SQL'
select 'create role qw_app login'
  where not exists (select from pg_roles where rolname = 'qw_app') \gexec
alter role qw_app password :'password';
create schema if not exists bullmq;
grant usage on schema public, bullmq to qw_app;
grant select, insert, update, delete on all tables in schema public, bullmq to qw_app;
grant usage on all sequences in schema public, bullmq to qw_app;
alter default privileges in schema public, bullmq grant select, insert, update, delete on tables to qw_app;
alter default privileges in schema public, bullmq grant usage on sequences to qw_app;
SQL
