#!/bin/bash
# boot.sh ROOT: boots the systemd of a root with the unit test.service alone, which has to end by "systemctl poweroff --force".
#
# The root gets process numbers, mounts, control groups and a loopback interface of its own. What the machine does not permit ends
# with 77 and one line.
set -euo pipefail
root=$1
not_run() { echo "NOT RUN: $1"; exit 77; }
[ "$(id -u)" = 0 ] || not_run "it takes root"
groups=$(findmnt --noheadings --output TARGET --types cgroup2 | sed -n 1p)
[ -n "$groups" ] || not_run "there is no version 2 of control groups"
group=$groups/calotype-boot-$$
mkdir "$group" 2>/dev/null || not_run "control groups cannot be made"
# The groups of units remain for a moment, and the innermost go first.
remove() {
    for _ in $(seq 50); do
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && return
        sleep 0.1
    done
}
trap remove EXIT
unshare --mount --pid --ipc --uts --net --cgroup --fork true 2>/dev/null || not_run "namespaces are not permitted"

# The shell enters the group before its namespace begins there. poweroff ends the first process of a namespace by SIGINT.
status=0
sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child \
    --propagation private sh -euc '
    root=$1
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    for device in null zero full random urandom tty; do
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    # In a container, systemd leaves that to its manager. A unit gets its credentials by a mount of another process.
    mount --make-rshared "$root"
    exec chroot "$root" env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd \
        --system --unit=test.service --log-target=console --show-status=no
' sh "$root" </dev/null || status=$?
[ $status = 130 ] || { echo "systemd ended with status $status"; exit 1; }
