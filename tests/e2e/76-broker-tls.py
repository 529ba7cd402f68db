#!/usr/bin/env python3
"""A broker that speaks TLS: what is checked, what it says when it does not work, and that it comes back."""
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, LIMIT_S, Broker, Daemon, check, free_port  # noqa: E402

CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=LIMIT_S)


def authority(folder, name):
    openssl(folder, "req", "-x509", *CURVE, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2", "-subj", f"/CN={name}")


def certificate(folder, name, names):
    openssl(folder, "req", *CURVE, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    (folder / "names").write_text(f"subjectAltName={names}\n")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ours.pem", "-CAkey", "ours.key", "-CAcreateserial", "-out", f"{name}.pem",
            "-days", "2", "-extfile", "names")


class TlsBroker(Broker):
    """The same broker behind a certificate; None = it speaks plainly."""

    def __init__(self, folder, port, certificate_of):
        self.certificate_of, self.keys = certificate_of, folder
        super().__init__(folder, port)

    def start(self):
        if self.certificate_of and "certfile" not in self.config.read_text():
            with self.config.open("a") as config:
                config.write(f"certfile {self.keys}/{self.certificate_of}.pem\nkeyfile {self.keys}/{self.certificate_of}.key\n")
        super().start()


def log_says(process, daemon, words):
    end = time.monotonic() + LIMIT_S
    while words not in daemon.log_text():
        check(process.poll() is None and time.monotonic() < end, f"`{words}` is not said:\n{daemon.log_text()[-2000:]}")
        time.sleep(0.05)  # a file has no event


def heard(folder, port, host, count):
    """Retained topics that a client with the authority's certificate is given."""
    done = subprocess.run(["mosquitto_sub", "-h", host, "-p", str(port), "--cafile", str(folder / "ours.pem"), "-t", "tabled/v1/home/main/#", "-C",
                           str(count), "-W", "30", "-F", "%t"], capture_output=True, text=True, timeout=LIMIT_S)
    return done.stdout.splitlines()


def house(folder, broker, name, host, ca):
    daemon = Daemon(folder / name, broker)
    text = daemon.config.read_text()
    at = text.index("host = 127.0.0.1")
    daemon.config.write_text(text[:at] + f"host = {host}\ntls_ca = {ca}\nretry_min = 100ms\nretry_max = 200ms\n" + text[at + len("host = 127.0.0.1") + 1:])
    return daemon


def client(folder, port, program, host, ca):
    """Clients come by the same link."""
    config = folder / f"{program}.conf"
    config.write_text(f"[mqtt]\nhost = {host}\nport = {port}\ntls_ca = {ca}\n[screen]\ntype = png\nfolder = {folder}/pictures\nwidth = 320\nheight = 240\n")
    return subprocess.Popen([str(BIN / program), "--config", str(config)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    with tempfile.TemporaryDirectory(prefix="tabled-test-") as name:
        folder, port = pathlib.Path(name), free_port()
        authority(folder, "ours")
        authority(folder, "strangers")
        certificate(folder, "good", "DNS:localhost,IP:127.0.0.1")
        certificate(folder, "elsewhere", "DNS:broker.example")
        broker = TlsBroker(folder, port, "good")
        try:
            for host in ("localhost", "127.0.0.1"):  # a name and an address are both checked
                daemon = house(folder, broker, f"at-{host}", host, folder / "ours.pem").start()
                log_says(daemon.process, daemon, "connected client_id=")
                check(len(heard(folder, port, host, 8)) == 8, "it publishes")
                if host == "localhost":
                    screen = client(folder, port, "table-display", host, folder / "ours.pem")
                    for line in screen.stdout:
                        if "connected client_id=" in line:
                            break
                    else:
                        raise AssertionError("the screen does not come to the broker")
                    screen.terminate()
                    screen.wait(LIMIT_S)
                broker.stop(kill=True)
                broker.start()
                log_says(daemon.process, daemon, "attempt=1")
                check(len(heard(folder, port, host, 8)) == 8, "and again, when the broker comes back")
                daemon.stop()
            broker.stop()
            for keys, ca, words in (("good", "strangers.pem", "TLS: certificate verify failed"), ("elsewhere", "ours.pem", "TLS: host name verification failed"),
                                    ("good", "nothing.pem", "nothing.pem cannot be read: No such file"), ("good", "good.key", "TLS: "),
                                    (None, "ours.pem", "no connection to broker localhost: TLS: ")):
                broker = TlsBroker(folder, port, keys)
                daemon = house(folder, broker, f"{keys}-{ca}", "localhost", folder / ca).start()
                log_says(daemon.process, daemon, words)
                log_says(daemon.process, daemon, "attempt=3")
                check("connected client_id=" not in daemon.log_text(), "nobody unknown is spoken to")
                check("No error" not in daemon.log_text(), "a cause is told")
                check(daemon.request("GET", "/healthz")[0] == 200, "the table is there without a broker")
                daemon.stop()
                broker.stop()
        finally:
            broker.stop()
    print("a broker behind TLS is known by its certificate, and says why not if not")


main()
