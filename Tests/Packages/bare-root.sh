#!/bin/sh
# Runs in a bare Debian, in the folder /srv with `put`: installs the package, configures it by one line, asks it for a thumbnail, and
# stops it; the same with the package of more formats; and purges both.
set -eu
export HOME=/tmp/home DEBIAN_FRONTEND=noninteractive LC_ALL=C
fail() { echo "$*" >&2; exit 1; }

apt-get update -qq
before=$(date +%s)
apt-get install -y -qq --no-install-recommends ./put/calotype_*.deb >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
echo "installed in $(($(date +%s) - before)) s, with $(dpkg-query -W | wc -l) packages"
dpkg -L calotype >/tmp/files
for unit in calotype.service calotype.socket calotype-admin.socket; do
    grep -q "/systemd/system/$unit$" /tmp/files || fail "$unit is not in the package"
    [ -z "$(find /etc/systemd -name $unit 2>/dev/null)" ] || fail "$unit is enabled before it is configured"
done
for script in /var/lib/dpkg/info/calotype.p*; do
    grep -q 'Automatically added by dh_installsystemd' "$script" || fail "$script is not written by dh_installsystemd"
done
dpkg-query -W -f '${Conffiles}\n' calotype | grep -q /etc/calotype/serve.conf || fail "the settings are no conffile"

serve="calotype serve --config /etc/calotype/serve.conf --listen 127.0.0.1:0 --store /tmp/store"
status=0
$serve >/tmp/out 2>&1 || status=$?
[ $status = 2 ] && [ "$(wc -l </tmp/out)" = 1 ] || fail "without a key: status $status, $(cat /tmp/out)"

mkdir -p /srv/images
cp put/cat.jpg /srv/images
echo 'insecure = yes' >>/etc/calotype/serve.conf
begin() {
    $serve >/tmp/out 2>/tmp/err &
    server=$!
    url=""
    while [ -z "$url" ]; do
        kill -0 $server 2>/dev/null || fail "the server ended: $(cat /tmp/err)"
        sleep 0.1
        url=$(sed -n 's/^listening on \(http[^, ]*\).*/\1/p' /tmp/out)
    done
}
end() {
    kill -TERM $server
    wait $server || fail "the server ended with status $?: $(cat /tmp/err)"
}

begin
calotype health "$url/health"
calotype fetch --output /tmp/thumbnail.webp "$url/_/w:64/plain/local:///cat.jpg@webp"
calotype info /tmp/thumbnail.webp
end

echo '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="9" height="9"/></svg>' >put/small.svg
cp put/small.* /srv/images
for format in heic jxl svg tiff; do
    ! calotype info put/small.$format >/tmp/log 2>&1 && grep -q calotype-formats /tmp/log || fail "small.$format: $(cat /tmp/log)"
done
before=$(dpkg-query -W | wc -l)
apt-get install -y -qq --no-install-recommends ./put/calotype-formats_*.deb >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
echo "with calotype-formats, $(($(dpkg-query -W | wc -l) - before)) packages more"
calotype doctor >/tmp/log || fail "$(cat /tmp/log)"
begin
grep -q '^reads .*jpeg.*heic' /tmp/out || fail "the server does not say what it reads: $(cat /tmp/out)"
for format in heic jxl svg tiff; do
    calotype info put/small.$format
    calotype fetch --overwrite --output /tmp/thumbnail.webp "$url/_/w:5/plain/local:///small.$format@webp"
done
end

dpkg -L calotype-formats >>/tmp/files
apt-get purge -y -qq calotype calotype-formats >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
while read -r file; do
    [ -d "$file" ] || [ ! -e "$file" ] || fail "$file is left"
done </tmp/files
left=$(find / -xdev \( -path /proc -o -path /srv -o -path /tmp -o -path /sys \) -prune -o -name '*calotype*' -print)
[ -z "$left" ] || fail "left after the purge: $left"
echo "thumbnails with and without calotype-formats, status 0, and no file left"
