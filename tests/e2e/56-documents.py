#!/usr/bin/env python3
"""What programs read of us is well formed: the OpenAPI document for redocly, the metrics for promtool.

redocly comes from npm, once, into build/npm; without npm or a network its part is left out and said so.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import ROOT, check, scene  # noqa: E402

REDOCLY = "@redocly/cli@2.77.0"
FOLDER = ROOT / "build" / "npm"


def redocly():
    """The program, None = it cannot be had here."""
    program = FOLDER / "node_modules" / ".bin" / "redocly"
    if not program.exists() and shutil.which("npm"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", "--no-save", REDOCLY],
                       capture_output=True, timeout=240)
    return program if program.exists() else None


def lint(folder, text):
    file = folder / "openapi.json"
    file.write_bytes(text)
    (folder / "redocly.yaml").write_text("extends: [recommended]\nrules:\n  security-defined: error\n  operation-4xx-response: error\n"
                                         "  operation-operationId: error\n  no-unused-components: error\n  tag-description: off\n")
    program = redocly()
    if not program:
        print("redocly is not here: its part is left out")
        return
    done = subprocess.run([str(program), "lint", "--max-problems", "20", "--format", "stylish", str(file)], capture_output=True, text=True, cwd=folder,
                          env=dict(os.environ, REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true"), timeout=120)
    said = done.stdout + done.stderr
    check(done.returncode == 0 and "You have" not in said, f"redocly: {said}")


def main():
    with scene(with_broker=False) as (folder, _, daemon):
        status, head, raw = daemon.request("GET", "/api/v1/openapi.json")
        check(status == 200 and json.loads(raw)["openapi"] == "3.1.0", f"the document: {raw[:200]}")
        lint(folder, raw)
        status, head, raw = daemon.request("GET", "/metrics", token=daemon.token("metrics"))
        check(head["Content-Type"].startswith("text/plain; version=0.0.4"), f"metrics: {head}")
        program = shutil.which("promtool")
        if program:
            done = subprocess.run([program, "check", "metrics"], input=raw, capture_output=True)
            check(done.returncode == 0 and not done.stderr, f"promtool: {done.stdout} {done.stderr}")
        for word in (b"seat=", b"card=", b"tag="):
            check(word not in raw, f"no label names {word}")
    print("documents are well formed")


if __name__ == "__main__":
    main()
