"""Keeps what a collection over many machines has on the machine that it was started on."""
import pathlib
import subprocess


class ShardStore:
    """Finished shards: their databases, then a mark that they were merged."""

    def __init__(self, database, merger):
        self.database, self.merger = database, merger
        self.folder = pathlib.Path(f"{database}.shards")
        self.folder.mkdir(parents=True, exist_ok=True)

    def has(self, name):
        """Whether it is merged; a fetched one that is not yet, is now."""
        if (self.folder / f"{name}.sqlite").exists():
            self.merge(name)
        return (self.folder / f"{name}.merged").exists()

    def merged(self):
        """The names of all merged shards."""
        return [path.stem for path in self.folder.glob("*.merged")]

    def add(self, name, content):
        """Complete under its name or not at all."""
        temporary = self.folder / f"{name}.new"
        temporary.write_bytes(content)
        temporary.rename(self.folder / f"{name}.sqlite")
        self.merge(name)

    def merge(self, name):
        """Merging twice adds nothing, so that a death between any two lines does no harm."""
        fetched = self.folder / f"{name}.sqlite"
        subprocess.run([self.merger, "merge", self.database, fetched], check=True,
                       stdout=subprocess.DEVNULL)
        (self.folder / f"{name}.merged").touch()
        fetched.unlink()
