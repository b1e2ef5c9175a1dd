"""Runs a program under the filter of system calls of a systemd unit, as root or as another user.

    filter.py UNIT USER [--without CALL] PROGRAM [ARGUMENT ...]

Expands the groups of the unit's SystemCallFilter by systemd-analyze, and loads them by libseccomp: all other calls fail with
EPERM. With MemoryDenyWriteExecute, no memory is writable and executable. --without takes one call out of the filter again.
"""
import ctypes, errno, os, subprocess, sys

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
context = seccomp.seccomp_init(refuse)
protects_memory = ("MemoryDenyWriteExecute", "yes") in settings
for name in allowed:
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        continue
    # What may not be both: new memory; what may not become executable: old memory.
    mask = {"mmap": executable | writable, "mprotect": executable, "pkey_mprotect": executable}.get(name)
    if not protects_memory or mask is None:
        assert seccomp.seccomp_rule_add_array(context, allow, number, 0, None) == 0, name
        continue
    for value in range(mask + 1):
        if value & ~mask == 0 and value != mask:
            condition = Condition(2, masked_equal, mask, value)
            assert seccomp.seccomp_rule_add_array(context, allow, number, 1, ctypes.byref(condition)) == 0, name
assert ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
assert seccomp.seccomp_load(context) == 0
if user:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
os.execv(program[0], program)
