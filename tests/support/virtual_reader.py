"""A private pcscd with virtual readers, and tiles for them.

pcscd's socket has one place in the file system, so it gets a mount namespace of its own in which that place is our
folder; clients are led there by PCSCLITE_CSOCK_NAME. A tile is a TCP client of the virtual reader: two bytes of length,
then a control byte or an APDU.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

from harness import LIMIT_S, check, free_port, reserve_port

LIBRARY = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so"
POWER_OFF, POWER_ON, RESET, GET_ATR = 0, 1, 2, 4
ATR = bytes.fromhex("3B8F8001804F0CA000000306030003000000006B")  # contactless storage, as readers tell it of NTAG21x
GET_UID = bytes.fromhex("FFCA000000")


class Pcscd:
    """Two virtual readers: slot 0 and 1 of `Virtual PCD`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "conf").mkdir(parents=True)
        (self.folder / "run").mkdir()
        self.socket = self.folder / "run" / "pcscd.comm"
        self.port = self.two_ports()
        (self.folder / "conf" / "virtual").write_text(
            f'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x{self.port:04X}\nLIBPATH {LIBRARY}\nCHANNELID 0x{self.port:04X}\n')
        self.process = None
        self.start()

    @staticmethod
    def two_ports():
        port = free_port()
        while not reserve_port(port + 1):
            port = free_port()
        return port

    def start(self):
        exe = shutil.which("pcscd") or "/usr/sbin/pcscd"
        inside = f"mkdir -p /run/pcscd && mount --bind {self.folder}/run /run/pcscd && exec {exe} -f -c {self.folder}/conf"
        self.log = open(self.folder / "pcscd.log", "ab")
        self.process = subprocess.Popen(["unshare", "-m"] + ([] if os.geteuid() == 0 else ["-r"]) + ["sh", "-c", inside],
                                        stdout=self.log, stderr=self.log)
        end = time.monotonic() + LIMIT_S
        while not self.answers():
            check(self.process.poll() is None, (self.folder / "pcscd.log").read_text(errors="replace"))
            check(time.monotonic() < end, "pcscd does not come up")
            time.sleep(0.02)  # its socket has no event

    def answers(self):
        with socket.socket(socket.AF_UNIX) as link:
            return link.connect_ex(str(self.socket)) == 0

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(LIMIT_S)
            self.process = None
            self.log.close()


class Tile:
    """A tile on a virtual reader, from its making to take()."""

    def __init__(self, pcscd, slot, uid, answer=None):
        self.uid, self.answer = bytes.fromhex(uid), answer
        self.link = socket.create_connection(("127.0.0.1", pcscd.port + slot), LIMIT_S)
        self.link.settimeout(None)
        self.asked = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _read(self, n):
        data = b""
        while len(data) < n:
            more = self.link.recv(n - len(data))
            if not more:
                raise OSError("the reader is gone")
            data += more
        return data

    def _serve(self):
        try:
            while True:
                message = self._read(int.from_bytes(self._read(2), "big"))
                if len(message) == 1:
                    if message[0] == GET_ATR:
                        self._send(ATR)
                    continue
                self.asked += 1
                if self.answer is not None:
                    self._send(self.answer)
                else:
                    self._send(self.uid + b"\x90\x00" if message == GET_UID else b"\x6D\x00")
        except OSError:
            pass

    def _send(self, data):
        self.link.sendall(len(data).to_bytes(2, "big") + data)

    def take(self):
        with contextlib.suppress(OSError):  # the service may have gone, and the line with it
            self.link.shutdown(socket.SHUT_RDWR)
        self.link.close()
        self.thread.join()
