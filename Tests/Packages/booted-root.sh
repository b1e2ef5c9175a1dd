#!/bin/sh
# Runs in a booted Debian without procps, as a service, in the folder /srv with `put`: installs the package, starts its unit,
# asks for files and links, reloads, exchanges keys, restarts and purges. What it installs has been downloaded.
set -eu
export HOME=/tmp/home DEBIAN_FRONTEND=noninteractive LC_ALL=C
fail() {
    echo "$*"
    journalctl --no-pager --unit=calotype --lines=20
    exit 1
}
wait_for() {
    for _ in $(seq 600); do
        ! "$@" || return 0
        sleep 0.1
    done
    fail "not within a minute: $*"
}
# The end of a URL's path.
thumbnail() { calotype fetch --overwrite --output /tmp/thumbnail "http://127.0.0.1:8080/_/$1" >/dev/null 2>&1; }
journal_has() { journalctl --no-pager --unit=calotype --output=cat | grep -qF "$1"; }

cd /srv
[ ! -e /bin/kill ] || fail "this Debian has more than it should: kill"
apt-get install -y -qq --no-install-recommends ./put/calotype_*.deb >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
dpkg -L calotype >/tmp/files
! systemctl is-active --quiet calotype.service || fail "the server runs before it is configured"

mkdir -p images/album
cp put/cat.jpg images
echo outside >outside.jpg
ln -s ../cat.jpg images/album/link.jpg
ln -s album images/more
ln -s /srv/images/cat.jpg images/album/absolute.jpg
ln -s ../../put/cat.jpg images/album/out.jpg
echo 'insecure = yes' >>/etc/calotype/serve.conf
systemctl enable --now --quiet calotype || fail "the unit does not start"
for path in cat.jpg album/link.jpg more/link.jpg; do
    thumbnail "w:64/plain/local:///$path@webp" || fail "$path has no thumbnail"
done
for path in album/absolute.jpg album/out.jpg; do
    ! thumbnail "w:64/plain/local:///$path@webp" || fail "$path has a thumbnail"
done

! thumbnail "pr:small/plain/local:///cat.jpg@webp" || fail "there is a preset"
echo 'preset = small=w:32' >>/etc/calotype/serve.conf
systemctl reload calotype || fail "the reload fails"
wait_for journal_has "settings read again"
thumbnail "pr:small/plain/local:///cat.jpg@webp" || fail "the preset is not there after the reload"

# Keys that the group reads, put in place by the command that the settings name.
refused() { ! accepted "$1" && grep -qF 403 /tmp/fetch; }
accepted() { calotype fetch --no-cache --overwrite --output /tmp/thumbnail "http://127.0.0.1:8080$1" >/tmp/fetch 2>&1; }
# A path that the pair in a line of the files signs.
signed() {
    IMGPROXY_KEY=$(sed -n "$1p" /etc/calotype/key) IMGPROXY_SALT=$(sed -n "$1p" /etc/calotype/salt) \
        calotype sign local:///cat.jpg@webp w:31
}
sed -n 's/^#   \(for name in key salt.*\)/\1/p' /etc/calotype/serve.conf >/tmp/make-keys
sh -e /tmp/make-keys
[ "$(stat -c '%a %U:%G' /etc/calotype/key /etc/calotype/salt | uniq)" = "640 root:calotype" ] || fail "the keys have other readers"
sed -i 's|^#\(key = @/etc/\)|\1|; s|^#\(salt = @/etc/\)|\1|; /^insecure = yes$/d' /etc/calotype/serve.conf
systemctl reload calotype
old=$(signed 1)
wait_for accepted "$old"
wait_for refused /_/w:31/plain/local:///cat.jpg@webp
for name in key salt; do openssl rand -hex 32 >>/etc/calotype/$name; done
new=$(signed 2)
refused "$new" || fail "a new key counts before the reload"
systemctl reload calotype
wait_for accepted "$new"
accepted "$old" || fail "the old key does not count beside the new one"
sed -i 1d /etc/calotype/key /etc/calotype/salt
systemctl reload calotype
wait_for refused "$old"
accepted "$new" || fail "the new key does not count without the old one"
# A key that the server cannot read.
chown root:root /etc/calotype/key
chmod 600 /etc/calotype/key
systemctl reload calotype
wait_for journal_has \
    "the settings in effect stay as they are: /etc/calotype/serve.conf:14: key = @/etc/calotype/key: cannot read it: Permission denied"
accepted "$new" || fail "a key that cannot be read has replaced the one in effect"
# Keys in files that root alone reads, beside a token that the group reads.
mkdir -p /etc/credstore
for name in key salt; do install -m 600 /etc/calotype/$name /etc/credstore/calotype.$name; done
openssl rand -hex 32 | install -m 640 -g calotype /dev/stdin /etc/calotype/admin-token
sed -i 's|@/etc/calotype/|@/run/credentials/calotype.service/|; s|^#\(admin-token = /etc/\)|\1|' /etc/calotype/serve.conf
systemctl restart calotype || fail "the restart fails"
accepted "$new" || fail "systemd's copies of the keys do not count after the restart: $(cat /tmp/fetch)"
refused "$old" || fail "the old key counts after the restart"
rm /etc/credstore/calotype.*
# A level of 4 is a warning.
problems=$(journalctl --no-pager --unit=calotype --priority=4 --output=cat)
[ -z "$problems" ] || fail "warnings in the journal: $problems"

[ -n "$(ls /var/cache/private/calotype)" ] || fail "there is no store"
# Clients who come during the removal must not start the server again.
while :; do calotype health http://127.0.0.1:8080/health || calotype health http://127.0.0.1:8081/.calotype/health || :; done >/dev/null 2>&1 &
clients=$!
apt-get remove -y -qq calotype >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
kill $clients
for unit in calotype.service calotype.socket calotype-admin.socket; do
    ! systemctl is-active --quiet $unit || fail "$unit runs after the removal"
done
for process in /proc/[0-9]*/comm; do
    [ "$(cat "$process" 2>/dev/null)" != calotype ] || fail "a server runs after the removal"
done
apt-get purge -y -qq calotype >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
left=$(find / -xdev \( -path /srv -o -path /tmp -o -path /sys -o -path /proc \) -prune -o -name '*calotype*' -print)
[ -z "$left" ] || fail "left after the purge: $left"
# Debian's packages leave their groups: another package's would get the number, and the files that still have it.
grep -q '^calotype:' /etc/group || fail "the group is gone after the purge"
echo "installed, started, reloaded without kill, with other keys, restarted, and the group alone is left after the purge"
