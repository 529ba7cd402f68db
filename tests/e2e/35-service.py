#!/usr/bin/env python3
"""The daemon as systemd's guest: units that are well-formed and sandboxed (exposure at most 2.0), a socket handed to it that
is answered, and no second listener beside that one."""
import http.client
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, ROOT, Daemon, check, free_port, wait_port  # noqa: E402

EXPOSURE_MAX = 20  # tenths


def units():
    for unit in sorted((ROOT / "systemd").glob("*.service")) + sorted((ROOT / "clients").glob("*/*.service")):
        done = subprocess.run(["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager", unit],
                              capture_output=True, text=True, timeout=LIMIT_S)
        last = done.stdout.strip().splitlines()[-1]
        print(f"{unit.name}: {last.strip()}")
        check(done.returncode == 0, done.stdout + done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            # The program of the build stands in for the installed one; other services' units are not here.
            copy = pathlib.Path(folder) / unit.name
            copy.write_text(unit.read_text().replace("/usr/bin/", f"{BIN}/"))
            wrong = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", copy], capture_output=True, text=True, timeout=LIMIT_S)
            check(wrong.returncode == 0 and not wrong.stderr.strip(), f"{unit.name}: {wrong.stderr}")


def answered(port):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    link.request("GET", "/healthz")
    status = link.getresponse().status
    link.close()
    return status


def activation():
    with tempfile.TemporaryDirectory() as folder:
        daemon, port = Daemon(folder), free_port()
        host = subprocess.Popen(["systemd-socket-activate", "-l", f"127.0.0.1:{port}", BIN / "tabled", "--config", daemon.config],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
        try:
            wait_port(port)  # systemd's own; the daemon is started by it
            check(answered(port) == 200, "the socket that was handed over is not answered")
            with socket.socket() as other:
                check(other.connect_ex(("127.0.0.1", daemon.port)) != 0, "beside the socket handed over the configured one is open too")
        finally:
            host.terminate()
            check(host.wait(LIMIT_S) == 0, "the daemon did not end well")


units()
activation()
