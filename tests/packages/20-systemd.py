#!/usr/bin/env python3
"""The packages under a real systemd, with --long: a machine of its own is booted, the packages are installed, and the service is
started by its socket, sandboxed, fed credentials, frozen, killed, misconfigured, upgraded, removed and purged. Where this is not
allowed (no root, no namespaces), nothing is tried."""
import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("packages", HERE / "10-packages.py")
packages = importlib.util.module_from_spec(spec)
sys.path.insert(0, str(HERE.parent / "support"))
from harness import LIMIT_S, check  # noqa: E402

CONF = """[daemon]
site = home
state_dir = /var/lib/tabled
socket = /run/tabled/tabled.sock
[http]
listen = 127.0.0.1:8137
[mqtt]
host = 127.0.0.1
password_credential = mqtt-password
username = tabled
[table main]
deck = kit
game = battle_sheep
seats = 2
chance = generator
[reader box]
driver = mqtt_reader
key_credential = box.key
[pad one]
reader = box
"""


def first_process(boot):
    """systemd of the machine that was booted, by its number here."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        check(boot.poll() is None, "it does not boot")
        family = [boot.pid]
        for pid in family:
            with contextlib.suppress(OSError):
                family += map(int, pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
                if pathlib.Path(f"/proc/{pid}/comm").read_text() == "systemd\n":
                    return pid
        time.sleep(0.05)  # a process has no event
    raise AssertionError("systemd does not begin")


class Machine:
    def __init__(self, folder):
        self.folder = folder
        self.boot = subprocess.Popen([HERE.parent / "support" / "boot-systemd", folder])
        self.pid = first_process(self.boot)
        self.until(lambda: self.run("systemctl", "is-active", "booted.target", code=None) == "active\n", "it is up")

    def run(self, *words, code=0, stdin=None):
        done = subprocess.run(["nsenter", "-t", str(self.pid), "-m", "-p", "-u", "-i", "-n", "-C", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *map(str, words)],
                              capture_output=True, text=True, timeout=LIMIT_S, input=stdin)
        check(code is None or done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def write(self, path, text, mode=0o644):
        self.run("install", "-D", "-m", f"{mode:o}", "/dev/stdin", path, stdin=text)

    def install(self, *debs):
        """Without triggers: the index of manual pages is large."""
        self.run("dpkg", "--install", "--no-triggers", "--force-unsafe-io", *(f"/mnt/{deb.relative_to(self.folder)}" for deb in debs))

    def show(self, unit="tabled.service"):
        return dict(line.split("=", 1) for line in self.run("systemctl", "show", unit, "--all").splitlines() if "=" in line)

    def until(self, so, what):
        end = time.monotonic() + LIMIT_S
        while not so():
            check(self.boot.poll() is None and time.monotonic() < end, f"{what}: waited in vain\n{self.told()[-3000:]}")
            time.sleep(0.1)
        return self

    def told(self):
        with contextlib.suppress(AssertionError):
            return self.run("journalctl", "--no-pager", "-u", "tabled.service", "-u", "tabled.socket")
        return (self.folder / "console").read_text()

    def active(self):
        return self.show()["ActiveState"] == "active"

    def phase(self):
        return json.loads(self.run("tablectl", "status", "main", "--json"))["phase"]

    def off(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.boot.wait(LIMIT_S)


def install(it, debs):
    it.install(*debs.values())
    check(it.show()["ActiveState"] == "inactive", "installing starts nothing: a table needs a configuration")
    it.write("/etc/tabled/tabled.conf", CONF)
    it.run("node-sender", "--make-key", "/etc/tabled/box.key", code=None)
    it.write("/etc/tabled/mqtt", "secret", 0o600)
    it.write("/etc/systemd/system/tabled.service.d/test.conf", "[Service]\nLoadCredential=mqtt-password:/etc/tabled/mqtt\nLoadCredential=box.key:/etc/tabled/box.key\n"
             "WatchdogSec=3s\nRestartSec=200ms\n")
    it.run("systemctl", "daemon-reload")


def activation(it):
    it.run("systemctl", "enable", "--now", "tabled.socket")
    check(it.show("tabled.socket")["ActiveState"] == "active" and not it.active(), "the door is there before the daemon")
    health = it.run("curl", "-sf", "http://127.0.0.1:8137/healthz")
    check(health, "who knocks is answered")
    now = it.until(it.active, "it is started").show()
    check(now["Result"] == "success" and now["NRestarts"] == "0", f"{now}")
    return int(now["MainPID"])


def sandbox(it, pid):
    status = dict(line.split(":\t", 1) for line in it.run("cat", f"/proc/{pid}/status").splitlines() if ":\t" in line)
    uid = status["Uid"].split()[0]
    check(int(uid) > 0, f"it is not root: {uid}")
    check(int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0 and status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", f"{status}")
    limits = {line[:25].strip(): line[25:].split() for line in it.run("cat", f"/proc/{pid}/limits").splitlines()}
    check(limits["Max core file size"][:2] == ["0", "0"], f"no core dumps: {limits}")
    check("fewer connections" not in it.told(), "files enough for every connection")
    for path, want in (("/var/lib/tabled/", f"700 {uid}"), ("/var/lib/tabled/journal.db", f"600 {uid}"), ("/var/lib/tabled/tokens.json", f"600 {uid}")):
        check(it.run("stat", "-Lc", "%a %u", path).strip() == want, f"{path}: {it.run('stat', '-Lc', '%a %u', path)}, not {want}")
    inside = ["nsenter", "-t", pid, "-m"]
    for folder in ("/etc", "/usr", "/home", ""):
        it.run(*inside, "touch", f"{folder}/x", code=1)
    check(it.run(*inside, "ls", "/home", code=None) == "", "no home is seen")
    check("main" in it.run("tablectl", "status"), "root speaks to it by its socket")


def fed(it, pid):
    """Credentials have come: without them it would have ended with 3."""
    text = it.run("cat", f"/proc/{pid}/environ").replace("\0", "\n")
    check("CREDENTIALS_DIRECTORY=" in text and "secret" not in text, "a folder of credentials, no secret in the environment")
    lines = [json.loads(line) for line in it.run("journalctl", "--no-pager", "-o", "json", "-u", "tabled.service").splitlines()]
    ours = [line for line in lines if line.get("_PID") == str(pid)]
    check(any("ready" in str(line["MESSAGE"]) and line["PRIORITY"] == "6" for line in ours), f"fields of the journal: {ours[-1:]}")


def again(it, what, before, do):
    """It is started again, and the game is where it was."""
    phase, restarts = it.phase(), int(it.show()["NRestarts"])
    do(before)
    now = it.until(lambda: int(it.show()["NRestarts"]) > restarts and it.active(), what).show()
    pid = int(now["MainPID"])
    check(pid != before, what)
    back = it.phase()
    check(back["n"] >= phase["n"] and back["paused"] and back["pause_reason"] == "restart", f"{what}: {phase} then {back}")
    it.run("tablectl", "resume", "main")
    return pid


def wrong_configuration(it):
    it.write("/etc/tabled/tabled.conf", CONF.replace("deck = kit", "dekc = kit"))
    it.run("systemctl", "restart", "tabled.service", code=1)
    now = it.show()
    check(now["ActiveState"] == "failed" and now["ExecMainStatus"] == "3", f"a wrong configuration ends with 3 and is not tried again: {now['ActiveState']} {now['ExecMainStatus']}")
    check("did you mean" in it.told(), "and is explained")
    it.write("/etc/tabled/tabled.conf", CONF)
    it.run("systemctl", "reset-failed", "tabled.service", "tabled.socket")
    it.run("systemctl", "start", "tabled.socket", "tabled.service")
    it.until(it.active, "put right it starts")


def upgrade(it, debs):
    pid = it.show()["MainPID"]
    it.install(debs["tabled"])
    it.until(lambda: it.active() and it.show()["MainPID"] != pid, "an upgrade starts it again")
    check(it.phase()["pause_reason"] == "restart", f"with its game: {it.phase()}")


def leave(it):
    it.run("systemctl", "stop", "tabled.service", "tabled.socket")
    now = it.show()
    check(now["ActiveState"] == "inactive" and now["Result"] == "success", f"it ends when asked: {now['Result']}")
    it.run("systemctl", "start", "tabled.socket", "tabled.service")
    it.run("dpkg", "--remove", "--no-triggers", "tabled-web", "tabled-clients", "tabled")
    check(not it.active() and it.run("sh", "-c", "ls /var/lib/tabled/journal.db"), "removing stops it and keeps its evenings")
    it.run("dpkg", "--purge", "--no-triggers", "tabled-web", "tabled-clients", "tabled")
    left = it.run("sh", "-c", "ls -d /var/lib/tabled /var/lib/private/tabled /etc/tabled 2>/dev/null", code=None)
    check(not left, f"purging left {left}")


def possible():
    if os.geteuid() or not shutil.which("nsenter") or not pathlib.Path("/lib/systemd/systemd").exists():
        return False
    return subprocess.run(["unshare", "-fpmuin", "--cgroup", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


def main():
    if os.environ.get("TESTS_LONG") != "1" and "--long" not in sys.argv:
        print("a systemd is booted with --long alone")
        return
    if not possible():
        print("no systemd can be booted here: not tried")
        return
    spec.loader.exec_module(packages)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends this ends the machine
    with tempfile.TemporaryDirectory(prefix="tabled-systemd-") as name:
        folder = pathlib.Path(name)
        first, second = packages.make("0.1.0", folder / "first"), packages.make("0.1.1", folder / "second")
        it = Machine(folder)
        try:
            install(it, first)
            pid = activation(it)
            sandbox(it, pid)
            fed(it, pid)
            it.run("tablectl", "start", "main", "battle_sheep", "--seats", "2")
            pid = again(it, "one that hangs is killed by the watchdog", pid, lambda pid: it.run("kill", "-STOP", pid))
            pid = again(it, "one that is killed", pid, lambda pid: it.run("kill", "-KILL", pid))
            wrong_configuration(it)
            upgrade(it, second)
            leave(it)
        except BaseException:
            sys.stderr.write(it.told()[-8000:])
            raise
        finally:
            it.off()
    print("started by its socket, sandboxed, fed, frozen, killed, misconfigured, upgraded, removed and purged under a real systemd")


if __name__ == "__main__":
    main()
