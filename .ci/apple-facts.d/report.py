"""What was compared, what was not, and the table of what no rule derives."""
from collections import Counter

from metadata import FactsError

UNLISTED = "PyObjC lists no property and no method that has neither a block nor a Boolean value"
NOT_ON_MACOS = "Apple's type or member is not on macOS, whose frameworks PyObjC has"
UNLISTED_CLASS = "PyObjC lists no member of the class"
SWIFT = "it is of Swift alone"


class Report:
    """What was compared of one module."""

    def __init__(self, module):
        self.module = module
        self.equal = Counter()  # by what was compared
        self.different = []  # sentences
        self.absent = {}  # reason: names

    @property
    def count(self):
        return sum(self.equal.values())

    def compare(self, what, name, ours, theirs, subject):
        if ours == theirs:
            self.equal[what] += 1
        else:
            self.different.append(f"{name}: {subject} is {ours} in the stubs, and {theirs} in the framework")

    def require(self, what, name, is_there, sentence):
        if is_there:
            self.equal[what] += 1
        else:
            self.different.append(f"{name}: {sentence}")


class Rows:
    """The table of what no rule derives. Each row must be used, so that none outlives what it is for."""

    def __init__(self, types=(), names=(), shared=(), left_out=()):
        self.types, self.names, self.shared, self.left_out = dict(types), dict(names), dict.fromkeys(shared, True), dict(left_out)
        self.used = []  # (table, name)

    def _row(self, table, name):
        if name in table:
            self.used.append((id(table), name))
        return table.get(name)

    def type(self, name):
        """The Objective-C name of a type, and what the names of its constants begin with."""
        return self._row(self.types, name) or (name.replace(".", ""),) * 2

    def name(self, signature):
        """The Objective-C name of a member, where a row has it."""
        return self._row(self.names, signature)

    def reason(self, signature):
        """Why a declaration is not compared, where a row says so."""
        return self._row(self.left_out, signature)

    def is_shared(self, name):
        return self._row(self.shared, name) is not None

    def require_all_used(self):
        tables = (self.types, self.names, self.shared, self.left_out)
        unused = sorted({name for table in tables for name in table if (id(table), name) not in self.used})
        if unused:
            raise FactsError(f"Rows of the table that match no declaration of the stubs: {', '.join(unused)}.")
