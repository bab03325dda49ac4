# Closes etcd to everyone who does not have its password, in both versions of its API: once, on one database machine, when etcd
# runs on all three. Can be repeated.
#   ADDRESS=10.0.0.21 ETCD_PASSWORD=… sh etcd-auth.sh
# The password may have letters, digits, - and _.
set -eu

# send METHOD PATH [BODY]. The password is read from the standard input, because other accounts can read a program's arguments.
send() {
  {
    printf 'request = "%s"\nurl = "http://%s:2379%s"\ndata = "%s"\n' \
      "$1" "$ADDRESS" "$2" "$(printf %s "${3:-}" | sed 's/"/\\"/g')"
    # the third version would take it for a token
    case "$2" in /v2/*) printf 'user = "root:%s"\n' "$ETCD_PASSWORD" ;; esac
  } | curl -sS --max-time 10 -H 'content-type: application/json' -K -
}

# the second version, which Patroni uses
case "$(send GET /v2/auth/enable)" in
  *true*) ;;
  *)
    send PUT /v2/auth/users/root "{\"user\":\"root\",\"password\":\"$ETCD_PASSWORD\"}"
    send PUT /v2/auth/enable
    ;;
esac
# etcd gives it all rights
case "$(send GET /v2/auth/roles/guest)" in
  *'/*'*) send PUT /v2/auth/roles/guest '{"role":"guest","revoke":{"kv":{"read":["/*"],"write":["/*"]}}}' ;;
esac

# the third version, which can also remove machines
case "$(send POST /v3/auth/authenticate "{\"name\":\"root\",\"password\":\"$ETCD_PASSWORD\"}")" in
  *'not enabled'*)
    send POST /v3/auth/user/add "{\"name\":\"root\",\"password\":\"$ETCD_PASSWORD\"}"
    send POST /v3/auth/role/add '{"name":"root"}'
    send POST /v3/auth/user/grant '{"user":"root","role":"root"}'
    send POST /v3/auth/enable '{}'
    ;;
esac

# without the password
two=$(curl -sS --max-time 10 "http://$ADDRESS:2379/v2/keys/")
three=$(curl -sS --max-time 10 "http://$ADDRESS:2379/v3/kv/range" -d '{"key":"AA=="}')
case "$two $three" in
  *'requires user authentication'*'user name is empty'*) echo 'etcd is closed to everyone without the password' ;;
  *) echo "etcd-auth.sh: etcd is still open: $two $three" >&2 && exit 1 ;;
esac
