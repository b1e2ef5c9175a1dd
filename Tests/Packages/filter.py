"""Runs a program under the filter of system calls of a systemd unit, as root or as another user.

    filter.py UNIT USER [--without CALL] PROGRAM [ARGUMENT ...]

Expands the groups of the unit's SystemCallFilter by systemd-analyze, and loads them by libseccomp: all other calls fail with
EPERM. With MemoryDenyWriteExecute, no memory is writable and executable. With RestrictSUIDSGID, which DynamicUser implies, no
file gets one of these bits, and openat2, whose argument no filter can read, fails with ENOSYS. --without takes one call out of
the filter again.
"""
import ctypes, errno, os, stat, subprocess, sys

unit, user, program = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
removed = {program[1]} if program[0] == "--without" else set()
program = program[2:] if removed else program
settings = [line.strip().partition("=")[::2] for line in open(unit) if "=" in line]


def expanded(names):
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        text = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
        lines = [line.strip() for line in text.splitlines()[1:]]
        calls |= expanded(line for line in lines if line and not line.startswith("#"))
    return calls


# @default holds in every list of permitted calls. A later line with ~ takes calls out.
allowed = expanded(["@default"])
for key, value in settings:
    if key == "SystemCallFilter":
        names = expanded(value.lstrip("~").split())
        allowed = allowed - names if value.startswith("~") else allowed | names
# Python needs these once more, to change the user and to start the program.
allowed = (allowed | {"execve", "setgroups", "setresuid", "setresgid", "setuid", "setgid"}) - removed

seccomp = ctypes.CDLL("libseccomp.so.2")
seccomp.seccomp_init.restype = ctypes.c_void_p
seccomp.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
seccomp.seccomp_load.argtypes = [ctypes.c_void_p]


class Condition(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("mask", ctypes.c_uint64), ("value", ctypes.c_uint64)]


refuse, allow, masked_equal, executable, writable = 0x00050000 | errno.EPERM, 0x7FFF0000, 7, 4, 2


def add(context, action, name, *conditions):
    """Adds a rule: each condition is the number of an argument, a mask, and the value of the masked bits."""
    rules = (Condition * len(conditions))(*(Condition(n, masked_equal, mask, value) for n, mask, value in conditions))
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    assert number < 0 or seccomp.seccomp_rule_add_array(context, action, number, len(conditions), rules) == 0, name


assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
if ("RestrictSUIDSGID", "yes") in settings or ("DynamicUser", "yes") in settings:
    # As systemd's seccomp_restrict_suid_sgid.
    context = seccomp.seccomp_init(allow)
    add(context, 0x00050000 | errno.ENOSYS, "openat2")
    for bit in [stat.S_ISUID, stat.S_ISGID]:
        modes = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "mkdir": 1, "mkdirat": 2, "mknod": 1, "mknodat": 2, "creat": 1}
        for name, mode in modes.items():
            add(context, refuse, name, (mode, bit, bit))
        add(context, refuse, "open", (1, os.O_CREAT, os.O_CREAT), (2, bit, bit))
        add(context, refuse, "openat", (2, os.O_CREAT, os.O_CREAT), (3, bit, bit))
    assert seccomp.seccomp_load(context) == 0
context = seccomp.seccomp_init(refuse)
protects_memory = ("MemoryDenyWriteExecute", "yes") in settings
for name in allowed:
    # What may not be both: new memory; what may not become executable: old memory.
    mask = {"mmap": executable | writable, "mprotect": executable, "pkey_mprotect": executable}.get(name)
    if not protects_memory or mask is None:
        add(context, allow, name)
        continue
    for value in range(mask + 1):
        if value & ~mask == 0 and value != mask:
            add(context, allow, name, (2, mask, value))
assert seccomp.seccomp_load(context) == 0
if user:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
os.execv(program[0], program)
