"""The kept page of reports belongs to its sources, and no registry is named in the lock file."""
import hashlib
import json
import pathlib
import re
import unittest

WEB = pathlib.Path(__file__).resolve().parents[3] / "src/report/web"
ENDINGS = {".js", ".mjs", ".css", ".html", ".json", ".txt"}


def digest():
    """As in build.mjs."""
    sources = hashlib.sha256()
    for file in sorted(WEB.iterdir(), key=lambda path: path.name):
        if file.suffix in ENDINGS and file.is_file():
            sources.update(f"{file.name}\n".encode())
            sources.update(file.read_bytes())
    return sources.hexdigest()


class KeptFile(unittest.TestCase):
    def test_belongs_to_its_sources(self):
        with open(WEB / "kept/report.html", encoding="utf-8") as kept:
            kept.readline()
            self.assertEqual(
                kept.readline().strip(), f"<!-- sources {digest()} -->",
                "src/report/web/kept/report.html is older than its sources: "
                "npm ci --prefix src/report/web && npm run build --prefix src/report/web")

    def test_packages_are_pinned(self):
        package = json.loads((WEB / "package.json").read_text())
        for name, version in package["devDependencies"].items():
            self.assertRegex(version, r"^[0-9]+\.[0-9]+\.[0-9]+$", name)

    def test_lock_file_names_no_registry(self):
        lock = json.loads((WEB / "package-lock.json").read_text())
        for name, package in lock["packages"].items():
            self.assertNotIn("resolved", package, name)

    def test_packages_run_with_the_node_of_debian_12(self):
        lock = json.loads((WEB / "package-lock.json").read_text())
        for name, package in lock["packages"].items():
            needed = package.get("engines", {}).get("node", ">=0")
            oldest = min(int(major) for major in re.findall(r"\d+(?=[.\d]*)", needed))
            self.assertLessEqual(oldest, 18, f"{name} needs node {needed}")


unittest.main()
