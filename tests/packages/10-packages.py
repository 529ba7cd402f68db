#!/usr/bin/env python3
"""The Debian packages as an administrator meets them: made, checked by lintian, installed into a root of their own,
upgraded with the data kept, removed with the data kept, purged with the data gone. Prints the sizes."""
import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = SOURCE / "build" / "release"
PACKAGES = ("tabled", "tabled-clients", "tabled-web")
PROGRAMS = ("tabled", "tablectl", "table-narrator", "table-lights", "table-display")


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(version, folder):
    folder.mkdir()
    run("cpack", "-G", "DEB", "-R", version, "-B", folder, cwd=BUILD)
    debs = {deb.name.split("_")[0]: deb for deb in folder.glob("*.deb")}
    assert sorted(debs) == sorted(PACKAGES), f"packages made: {sorted(debs)}"
    return debs


def dpkg(root, *words):
    return run("dpkg", f"--root={root}", "--force-script-chrootless", "--force-depends", "--force-not-root", *words,
               env={**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"})


def fresh_root(root):
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "usr/bin", "etc"):
        (root / folder).mkdir(parents=True)
    for file in ("status", "available", "diversions", "triggers/Unincorp"):
        (root / "var/lib/dpkg" / file).touch()


def check_contents(root):
    for name in PROGRAMS:
        program = root / "usr/bin" / name
        assert os.access(program, os.X_OK), f"{name} is not installed"
        assert "0.1." in run(program, "--version"), f"{name} --version names no version"
        pages = list((root / "usr/share/man").glob(f"man*/{name}.*.gz"))
        assert pages, f"{name} has no manual page"
        assert gzip.decompress(pages[0].read_bytes()), pages
    for unit in (root / "usr/lib/systemd/system").glob("*.service"):
        starts = [line for line in unit.read_text().splitlines() if line.startswith("ExecStart=")]
        assert starts and all(line.startswith("ExecStart=/usr/bin/") for line in starts), (unit, starts)
    assert (root / "usr/share/tabled/web/index.html").is_file(), "the dashboard is not installed"
    assert (root / "usr/share/locale/zh/LC_MESSAGES/tabled.mo").is_file(), "the catalogues are not installed"
    run("bash", "-n", root / "usr/share/bash-completion/completions/tablectl")
    run(root / "usr/bin/tabled", "--config", root / "usr/share/doc/tabled/examples/tabled.conf", "--check-config")


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        first, second = make("0.1.0", work / "first"), make("0.1.1", work / "second")
        for name, deb in first.items():
            print(f"{name} {deb.stat().st_size / 1024:.0f} KiB")
            run("lintian", "--allow-root", "--fail-on", "error", deb)
        root = work / "root"
        fresh_root(root)
        dpkg(root, "--install", *first.values())
        check_contents(root)
        evening, settings = root / "var/lib/tabled/journal.db", root / "etc/tabled/tabled.conf"
        evening.parent.mkdir(parents=True, exist_ok=True)
        evening.write_text("an evening")
        settings.write_text("[daemon]\n")
        dpkg(root, "--install", *second.values())
        assert "0.1.1" in run("dpkg-query", f"--root={root}", "-W", "tabled")
        assert evening.read_text() == "an evening" and settings.exists(), "an upgrade lost data"
        dpkg(root, "--remove", *reversed(PACKAGES))
        assert not (root / "usr/bin/tabled").exists(), "removing left the program"
        assert evening.exists() and settings.exists(), "removing lost data"
        dpkg(root, "--purge", *reversed(PACKAGES))
        assert not evening.parent.exists() and not settings.parent.exists(), "purging left data"
        left = [path for path in root.rglob("*tabled*") if "var/lib/dpkg" not in str(path)]
        assert not left, f"purging left {left}"
        print("installed, upgraded, removed, purged")


if __name__ == "__main__":
    main()
