#!/usr/bin/env python3
"""TLS: the certificate the daemon makes, cookies that stay under it, streams; plain HTTP beyond this machine only where it is allowed."""
import contextlib
import hashlib
import http.client
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BIN, Daemon, check, free_port  # noqa: E402

T = "/api/v1/tables/main"
PASSWORD = "correct horse battery"


def listen(daemon, addresses, more=""):
    text = daemon.config.read_text()
    at = text.index("listen = ")
    daemon.config.write_text(text[:at] + f"listen = {addresses}\n{more}" + text[text.index("\n", at) + 1:])


def speak(daemon, port, folder):
    pem = ssl.get_server_certificate(("127.0.0.1", port))
    info = json.loads(daemon.request("GET", "/api/v1/info")[2])
    check(info["tls_fingerprint"] == hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest(), f"the fingerprint: {info}")
    check(info["insecure"] is False, f"nothing travels readable: {info}")
    (folder / "cert.pem").write_text(pem)
    trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    link = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=30)  # names and addresses are checked

    def ask(method, path, body=None, **headers):
        head = {k.replace("_", "-"): v for k, v in headers.items()}
        if body is not None:
            head["Content-Type"] = "application/json"
        link.request(method, path, None if body is None else json.dumps(body), head)
        answer = link.getresponse()
        return answer.status, answer.headers, answer.read()
    code = json.loads(daemon.ctl("pair", "--json"))["code"]
    status, head, raw = ask("POST", "/api/v1/pairing/claim", {"code": code, "name": "ada", "password": PASSWORD})
    cookie = head["Set-Cookie"]
    check(status == 201 and cookie.startswith("__Host-tabled=") and "Secure" in cookie and "HttpOnly" in cookie, f"a cookie for TLS alone: {cookie}")
    pair = cookie.split(";")[0]
    check(ask("GET", T, Cookie=pair)[0] == 200, "it is known")
    check(ask("GET", T, Cookie=pair, Origin=f"https://127.0.0.1:{port}")[0] == 200, "our own origin")
    check(daemon.request("GET", T, headers={"Cookie": pair})[0] == 401, "not without TLS")
    stream(daemon, trust, port)
    for request in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b"\x00" * 600):
        with socket.create_connection(("127.0.0.1", port), 30) as raw_link:
            answer = b""
            try:  # closed at once is an answer too
                raw_link.sendall(request)
                raw_link.shutdown(socket.SHUT_WR)
                while part := raw_link.recv(4096):
                    answer += part
            except OSError:
                pass
            check(b"200" not in answer, f"plain words at a TLS port: {answer[:80]}")
    check(daemon.request("GET", "/healthz")[0] == 200, "it still answers")
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection(("127.0.0.1", port), 30) as raw_link, old.wrap_socket(raw_link) as tls:
        check(tls.version() == "TLSv1.2", "1.2 is the least")
    return pem


def stream(daemon, trust, port):
    with socket.create_connection(("127.0.0.1", port), 30) as raw_link, trust.wrap_socket(raw_link, server_hostname="127.0.0.1") as tls:
        tls.sendall(f"GET {T}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {daemon.token('display')}\r\n\r\n".encode())
        seen = b""

        def until(word):
            nonlocal seen
            while word not in seen:
                part = tls.recv(65536)
                check(part, f"the stream has ended: {seen[-200:]}")
                seen += part
        until(b"event: readers")
        status, _, raw = daemon.request("POST", T + "/game", {"game": "not_alone", "seats": 3}, daemon.token("operator"))
        check(status == 201, f"start: {raw}")
        until(b"game_started")


def ticks(daemon):
    """Processor time, in hundredths of a second."""
    fields = pathlib.Path(f"/proc/{daemon.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def half_spoken(daemon, port):
    """Greetings that stop anywhere cost no processor, whoever leaves only half."""
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    links = []
    for beginning in (b"", hello[:1], hello[:5], hello, hello + bytes(40), hello + bytes(400), hello[:3] + b"\x40\x00" + bytes(900)):
        for half_closed in (False, True):
            links.append(socket.create_connection(("127.0.0.1", port), 30))
            links[-1].sendall(beginning)
            if half_closed:
                with contextlib.suppress(OSError):  # refused already
                    links[-1].shutdown(socket.SHUT_WR)
    daemon.request("GET", "/healthz")
    for _ in range(10):  # what the last of them began may still be going on
        before = ticks(daemon)
        time.sleep(1)  # how much a second costs
        spent = ticks(daemon) - before
        if spent <= 15:
            break
    check(spent <= 15, f"{len(links)} half greetings cost {spent} % of a processor")
    check(ssl.get_server_certificate(("127.0.0.1", port)), "others are served")
    for link in links:
        link.close()


def doctor_says(daemon):
    done = subprocess.run([str(BIN / "tablectl"), "--socket", str(daemon.socket), "doctor", str(daemon.config), "--json"], capture_output=True, text=True)
    return next((row["result"] for row in json.loads(done.stdout) if row["check"] == "certificate"), None)


def main():
    folder, port = pathlib.Path(tempfile.mkdtemp(prefix="tabled-test-")), free_port()
    daemon = Daemon(folder / "house")
    try:
        listen(daemon, f"127.0.0.1:{daemon.port} https://127.0.0.1:{port}")
        daemon.start()
        pem = speak(daemon, port, folder)
        check(doctor_says(daemon) == "pass", "the doctor sees that the certificate holds")
        half_spoken(daemon, port)
        daemon.stop()
        daemon.start()
        check(ssl.get_server_certificate(("127.0.0.1", port)) == pem, "the same certificate after a restart")
        daemon.stop()
        key = daemon.folder / "state" / "tls-key.pem"
        check(key.stat().st_mode & 0o777 == 0o600, "its key is nobody else's")
        # A certificate of one's own.
        for name in ("tls.pem", "tls-key.pem"):
            shutil.copy(daemon.folder / "state" / name, folder / name)
        listen(daemon, f"127.0.0.1:{daemon.port} https://127.0.0.1:{port}", f"tls_cert = {folder}/tls.pem\ntls_key = {folder}/tls-key.pem\n")
        (daemon.folder / "state" / "tls.pem").unlink()
        daemon.start()
        check(ssl.get_server_certificate(("127.0.0.1", port)) == pem, "one that was given")
        daemon.stop()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=table", "-days", "3",
                        "-keyout", str(folder / "tls-key.pem"), "-out", str(folder / "tls.pem")], check=True, capture_output=True)
        daemon.start()
        check(doctor_says(daemon) == "warn", "the doctor warns of a given one that ends soon")
        daemon.stop()
        for addresses, more, code in ((f"http://0.0.0.0:{port}", "", 3), (f"0.0.0.0:{port}", "tls = no\n", 3), (f"0.0.0.0:{port}", "", 0),
                                      (f"0.0.0.0:{port}", "tls = no\nallow_plain = lan\n", 0), (f"ftp://127.0.0.1:{port}", "", 3)):
            listen(daemon, addresses, more)
            done = subprocess.run([str(BIN / "tabled"), "--config", str(daemon.config), "--check-config"], capture_output=True, text=True)
            check(done.returncode == code, f"{addresses} {more}: {done.returncode} {done.stderr}")
            daemon.config.write_text(daemon.config.read_text().replace(more, "", 1) if more else daemon.config.read_text())
        listen(daemon, f"0.0.0.0:{daemon.port}", "tls = no\nallow_plain = lan\n")
        daemon.start()
        check(json.loads(daemon.request("GET", "/api/v1/info")[2])["insecure"] is True, "it is said that passwords travel readable")
        daemon.stop()
    finally:
        if daemon.process:
            daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print("TLS by our own certificate and by a given one; plain only where it is allowed")


if __name__ == "__main__":
    main()
