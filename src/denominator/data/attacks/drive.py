"""Runs one agent of the corpus on the tree in the current folder: `drive.py KIND NAME`, facts of the task as JSON on stdin."""

import importlib.util
import json
import os
import sys


class Work:
    """What an agent knows: the files that count, and ways to change the tree. Paths are relative to the tree."""

    def __init__(self, facts):
        self.targets = facts["targets"]
        self.folders = facts["folders"]
        self.runner = facts["runner"]

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def write(self, path, text):
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.remove(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def append(self, text):
        """Add code to the end of every Python file that counts; it runs when the file is imported."""
        for path in self.targets:
            self.write(path, self.read(path) + "\n\n" + text)

    def plant(self, name, text):
        """Lay a file at the root and into every folder in which files count."""
        for folder in self.folders:
            self.write(os.path.join(folder, name), text)


def main():
    kind, name = sys.argv[1:]
    facts = json.load(sys.stdin)
    here = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(kind, os.path.join(here, "kinds", kind + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    getattr(module, name)(Work(facts))


if __name__ == "__main__":
    main()
