#!/usr/bin/env python3
"""Finds declarations in public headers that nothing documents.

A declaration is documented by a line "///" above it or by "///<" behind it. A comment covers the declarations that
follow it up to the next empty line, so that a group may share one. Forward declarations, constructors, destructors,
operators, overrides, friends and private members need none. Prints one finding a line, FILE:LINE: DECLARATION.
"""

import pathlib
import re
import subprocess
import sys

EXEMPT = re.compile(r"^(using namespace|namespace|extern \"C?\"|friend|public:|private:|protected:|template <[^;{]*$|#|"
                    r"Option<|static_assert|LLVM_|MLIR_|ENABLE_|GEN_PASS)|"
                    r"\boverride\b|\boperator\b|= (default|delete)\b|~\w+\(|\bclassof\(")
SCOPE = re.compile(r"^(?:template <.*> )?(namespace|class|struct|enum class|enum|union|extern \"C\")\b\s*(?:\w+\s+)*?(\w+)?"
                   r"(?: final)?\s*(?::[^{]*)?$")


class Header:
    """One header, read line by line into statements."""

    def __init__(self, path):
        self.path, self.findings, self.scopes = path, [], []
        self.documented = False  # by a comment with no empty line since

    def is_public(self):
        return all(scope["public"] for scope in self.scopes)

    def check(self, statement, line, trailing):
        scope = self.scopes[-1] if self.scopes else {"kind": "file", "name": ""}
        text = " ".join(statement.split())
        is_constructor = bool(re.match(rf"(explicit |constexpr )*{scope['name']}\(", text)) if scope["name"] else False
        if text and not (self.documented or trailing or EXEMPT.search(text) or is_constructor) and self.is_public():
            self.findings.append(f"{self.path}:{line}: {text[:90]}")

    def open(self, statement, line, trailing):
        text = " ".join(statement.split())
        kind = SCOPE.match(text)
        if not kind or "(" in text.split(":")[0]:
            self.check(statement, line, trailing)
            self.scopes.append({"kind": "body", "name": "", "public": False})
            return
        if kind.group(1) not in ("namespace", 'extern "C"'):
            self.check(statement, line, trailing)
        is_named = kind.group(1) != "namespace" or (kind.group(2) or "") not in ("detail", "impl")
        self.scopes.append({"kind": kind.group(1), "name": kind.group(2) or "",
                            "public": is_named, "members": kind.group(1) != "class"})
        if kind.group(1) == "class":
            self.scopes[-1]["public"] = False
        self.documented = self.documented and kind.group(1).startswith("enum")

    def close(self, statement, line, trailing):
        """Ends a scope; gives what of the statement goes on behind it."""
        scope = self.scopes.pop() if self.scopes else {}
        if scope.get("kind", "").startswith("enum") and statement.strip():
            self.scopes.append(scope)
            self.check(statement, line, trailing)
            self.scopes.pop()
        return scope.get("keep", "") + "{}" if scope.get("kind") == "value" else ""

    def end(self, statement, line, trailing):
        """A statement ends with ';'."""
        is_forward = re.match(r"(template <.*> )?(class|struct|union) \w+$", " ".join(statement.split()))
        if statement.strip() and statement.strip() != "{}" and not is_forward:
            self.check(statement, line, trailing)

    def is_code(self, line):
        """Whether a line has more than a comment or a directive; notes comments that document."""
        if not line:
            self.documented = self.documented and bool(self.statement.strip())
        elif line.startswith("///") and not line.startswith("///<"):
            self.documented = True
        else:
            return not line.startswith(("//", "#", "*", "/*"))
        return False

    def take(self, character, trailing):
        """Adds a character of code to the statement, or ends it."""
        if character in "([<" and not (character == "<" and "operator" in self.statement):
            self.depth += character != "<"
        elif character in ")]":
            self.depth -= 1
        in_enum = bool(self.scopes) and self.scopes[-1]["kind"].startswith("enum")
        if self.depth or character not in "{};" and not (character == "," and in_enum):
            self.statement += character
        elif character == "{" and self.statement.rstrip().endswith("="):
            self.scopes.append({"kind": "value", "name": "", "public": False, "keep": self.statement})
            self.statement = ""
        elif character == "}":
            self.statement = self.close(self.statement, self.start, trailing or self.was_trailing)
        else:
            {"{": self.open, ";": self.end, ",": self.check}[character](self.statement, self.start, trailing)
            self.statement = ""

    def read(self):
        self.statement, self.start, self.depth = "", 0, 0
        self.was_trailing = False  # behind the last line of an enumerator without a comma
        for number, raw in enumerate(self.path.read_text(encoding="utf-8").splitlines(), 1):
            if not self.is_code(raw.strip()):
                continue
            code, _, comment = raw.strip().partition("//")
            trailing = comment.startswith("/<")
            if label := re.match(r"(public|private|protected):$", code.strip()):
                self.scopes[-1]["public"] = label.group(1) == "public"
                self.documented = False
                continue
            for character in re.sub(r'"(\\.|[^"\\])*"', '""', code) + "\n":
                if not self.statement.strip():
                    self.start = number
                self.take(character, trailing)
            self.was_trailing = trailing
        return self.findings


def main():
    paths = sys.argv[1:] or subprocess.run(["git", "ls-files", "include/*.h"], capture_output=True, text=True,
                                           check=True).stdout.split()
    findings = [finding for path in paths for finding in Header(pathlib.Path(path)).read()]
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
