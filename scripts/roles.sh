# Creates the two roles and the database of a deployment, as the superuser, with the passwords in OWNER_PASSWORD and
# SERVICE_PASSWORD. The postgres image of compose.yaml runs it once, on an empty volume. docs/database-and-backups.md, "Two roles".
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v service="$SERVICE_PASSWORD" <<'SQL'
create role tollgate_owner login password :'owner';
create role tollgate_service login password :'service';
create database tollgate owner tollgate_owner;
revoke connect, temporary on database tollgate from public;
SQL
