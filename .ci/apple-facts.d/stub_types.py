"""What the names in the stubs mean: their types, and what a value of a type is in Objective-C."""
import re

KINDS = {
    "Bool": {"Bool"},
    "nothing": {"Void"},
    "integer": {"Int", "UInt", "Int32", "UInt32", "Int64", "UInt64", "UInt8"},
    "float": {"CGFloat", "Double", "Float", "TimeInterval"},
    "structure": {"CGRect", "CGSize", "CGPoint"},
    "pointer": {"UnsafeMutablePointer", "UnsafePointer", "UnsafeMutableRawPointer", "UnsafeRawPointer", "OpaquePointer"},
}


class Stubs:
    """The declarations of all stub modules, by name."""

    def __init__(self, declarations):
        self.declarations = declarations
        self.types, self.aliases = {}, {}
        for each in declarations:
            if each.kind in ("struct", "enum", "class", "protocol"):
                self.types.setdefault(each.name, each)
            elif each.kind == "typealias" and each.type:
                self.aliases.setdefault(each.name, each)
        # What stands for an optional requirement.
        self.defaults = {
            each.signature for each in declarations
            if each.kind == "func" and each.owner in self.types and self.types[each.owner].kind == "protocol"
            and not each.in_protocol
        }

    def resolve(self, name, owner):
        """The declaration that a name means within a type: of a type, or of another name."""
        while True:
            for candidate in (f"{owner}.{name}" if owner else name, name):
                if candidate in self.types:
                    return self.types[candidate]
                if candidate in self.aliases:
                    return self.aliases[candidate]
            if not owner:
                return None
            owner = owner.rpartition(".")[0]

    def function(self, type, owner):
        """The type as one of a function, also behind another name, or None."""
        if type.arguments is not None:
            return type
        found = self.resolve(type.text, owner)
        return self.function(found.type, found.owner) if found is not None and found.kind == "typealias" else None

    def kind(self, type, owner):
        """What a value of a type is in Objective-C, as `metadata.kind` says it."""
        if type is None:
            return None
        if self.function(type, owner):
            return "block"
        name = re.sub(r"<.*", "", type.text)
        for kind, names in KINDS.items():
            if name in names:
                return kind
        found = self.resolve(name, owner)
        if found is None or found.kind in ("class", "protocol"):
            return "object"
        if found.kind == "typealias":
            return self.kind(found.type, found.owner)
        return {"int": "integer", "float": "float", "str": "object"}.get(self.raw_type(found), "structure")

    def raw_type(self, declaration):
        """What a type is behind its name: 'int', 'str' or 'float', or None."""
        names = declaration.inherits[:1] if declaration.kind == "enum" else [
            each.type.text for each in self.declarations if each.name == f"{declaration.name}.rawValue" and each.type]
        for name, raw in (("Int", "int"), ("UInt", "int"), ("UInt8", "int"), ("Float", "float"), ("CGFloat", "float"),
                          ("String", "str"), ("CFString", "str")):
            if name in names:
                return raw
        return None

    def ancestors(self, name):
        """A class and those that it inherits from."""
        found = []
        while name in self.types and self.types[name].kind == "class" and name not in found:
            found.append(name)
            name = next(iter(self.types[name].inherits), "")
        return found

    def is_unavailable(self, declaration):
        """Whether macOS lacks a declaration, or a type around it."""
        name = declaration.owner
        while name:
            if name in self.types and "macOS" in self.types[name].unavailable:
                return True
            name = name.rpartition(".")[0]
        return "macOS" in declaration.unavailable
