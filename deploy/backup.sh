# Writes a backup with the date in its name, and removes all but the newest 14. docs/database-and-backups.md, "Schedule".
#
#   sh deploy/backup.sh DIRECTORY COMMAND…     COMMAND: what runs Tollgate's command line
#
# COPY_TO: where rsync copies the directory, such as backup@other.example:tollgate/. Nothing is removed there: that host removes
# its own, so that who controls this one cannot. HEARTBEAT_URL: requested at the end, for a monitor that reports a missing request.
set -eu
directory=$1
shift
"$@" backup "$directory/tollgate-$(date -u +%Y-%m-%dT%H%M%SZ).backup"
ls "$directory"/tollgate-*.backup | sort -r | tail -n +15 | while read -r old; do rm -- "$old"; done
if [ -n "${COPY_TO:-}" ]; then rsync --archive "$directory/" "$COPY_TO"; fi
if [ -n "${HEARTBEAT_URL:-}" ]; then curl --fail --silent --show-error --retry 3 --output /dev/null "$HEARTBEAT_URL"; fi
