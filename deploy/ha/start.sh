# Starts one program of a machine in a container: `start.sh PROGRAM`. NAME, ADDRESS and the passwords are environment variables.
# Configuration is written once, because Redis and Sentinel rewrite theirs.
set -eu
umask 077
cd /config
for file in etcd patroni.yml haproxy.cfg redis.conf sentinel.conf pgbackrest.conf; do
  [ -e "$file" ] || sed -e "s/THIS_NAME/$NAME/g" -e "s/THIS_ADDRESS/$ADDRESS/g" \
    -e "s/PATRONI_PASSWORD/${PATRONI_PASSWORD:-}/g" -e "s/SUPERUSER_PASSWORD/${SUPERUSER_PASSWORD:-}/g" \
    -e "s/REPLICATION_PASSWORD/${REPLICATION_PASSWORD:-}/g" -e "s/REDIS_PASSWORD/${REDIS_PASSWORD:-}/g" \
    -e "s/SENTINEL_PASSWORD/${SENTINEL_PASSWORD:-}/g" -e "s/ETCD_PASSWORD/${ETCD_PASSWORD:-}/g" \
    -e 's#/etc/pgbackrest.conf#/config/pgbackrest.conf#g' -e 's#127.0.0.1:5432#0.0.0.0:5432#g' "/template/$file" >"$file"
done
case "$1" in
  etcd) set -a && . ./etcd && exec etcd ;;
  patroni) exec patroni patroni.yml ;;
  haproxy) exec haproxy -db -f haproxy.cfg ;;
  redis)
    [ "$NAME" = db1 ] || grep -q '^replicaof' redis.conf || echo 'replicaof 10.0.0.21 6379' >>redis.conf
    exec redis-server redis.conf
    ;;
  sentinel) exec redis-sentinel sentinel.conf ;;
  *) echo "start.sh: unknown program $1" >&2 && exit 2 ;;
esac
