#!/usr/bin/env python3
"""The evenings of the boxes of One Night as sound: what 60-voice asks, with drawn instructions, marks and answers."""
import importlib.util
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("voice", HERE / "60-voice.py")
voice = importlib.util.module_from_spec(spec)
spec.loader.exec_module(voice)

if __name__ == "__main__":
    voice.main(HERE / "boxes")
