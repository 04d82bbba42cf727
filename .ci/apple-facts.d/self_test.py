"""Shows that what differs is found: plants faults in small stubs of a framework that does not exist, and in its metadata."""
import contextlib
import io
import os
import tempfile
import zipfile

import metadata
import stubs
from compare import compare
from metadata import FactsError
from report import Rows
from stub_types import Stubs

STUBS = '''
public import Foundation

public let KettleErrorDomain = "com.example.kettle"
public var errKettleDry: OSStatus { -7 }
public func KettleMeasure(_ kettle: Kettle, _ exactly: Bool) -> Int { 0 }

public struct KettleInsets {
    public var top: CGFloat
    public var bottom: CGFloat
    public init(top: CGFloat, bottom: CGFloat) { (self.top, self.bottom) = (top, bottom) }
}

/// A comment with { a bracket.
public enum KettleState: Int { case cold, warm, hot = 5 }

open class Kettle: NSObject {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let quiet = Self(rawValue: 1 << 2)
        public static let whistle = Options(rawValue: 1 << 3)
        public static let both: Self = [.quiet, .whistle]
    }
    public struct Name: RawRepresentable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let small = Self(rawValue: "small")
    }
    public typealias Handler = (Bool, (any Error)?) -> Void

    public static let didBoilNotification = NSNotification.Name("KettleDidBoilNotification")
    open var isHot: Bool { didSet { if isHot { rest() } } }
    open private(set) var isEmpty: Bool = true
    public init(liters: Double, handler: @escaping Kettle.Handler) { fatalError("\\(liters) of \\("water")") }
    open func boil(atDegrees degrees: Int, completion: (@Sendable (KettleState, (any Error)?) -> Void)? = nil) {}
    @discardableResult open func pour(_ cup: NSObject) -> Bool { true }
    open func rest() {}
    open func rest() async {}
    @available(macOS, unavailable)
    open func shake(_ hard: Bool) {}
}

public protocol KettleDelegate: NSObjectProtocol {
    func kettle(_ kettle: Kettle, didBoilAt degrees: Int)
    func kettleIsDry(_ kettle: Kettle) -> Bool
    var limit: Int { get set }
}

extension KettleDelegate {
    public func kettle(_ kettle: Kettle, didBoilAt degrees: Int) {}
}
'''

METADATA = '''
import objc, sys
from typing import NewType

if sys.maxsize > 2**32:

    def sel32or64(a, b):
        return b

else:

    def sel32or64(a, b):
        return a


if objc.arch == "arm64":

    def selAorI(a, b):
        return a

else:

    def selAorI(a, b):
        return b


misc = {}
misc.update(
    {"KettleInsets": objc.createStructType("Kettles.KettleInsets", b"{KettleInsets=dd}", ["top", "bottom"])}
)
constants = """$KettleDidBoilNotification$KettleErrorDomain$KettleNameSmall$KettleVersion@d$"""
enums = """$KettleDefaultWeight@1.5$KettleFileType@b'kett'$KettleOptionBoth@12$KettleOptionQuiet@4$\
KettleStateCold@0$errKettleDry@-7$"""
misc.update({"KettleState": NewType("KettleState", int), "KettleOptions": NewType("KettleOptions", int)})
misc.update({"KettleName": NewType("KettleName", str), "KettleStateHot": sel32or64(4, 5)})
misc.update({"KettleStateWarm": selAorI(1, 9)})
functions = {"KettleMeasure": (b"q@Z",)}
aliases = {"KettleOptionWhistle": "KettleOptionLoud", "KettleStateBoiling": "KettleStateHot"}
misc.update({"KettleOptionLoud": 8})
r = objc.registerMetaDataForSelector
objc._updatingMetadata(True)
try:
    r(b"Kettle", b"isHot", {"retval": {"type": b"Z"}})
    r(b"Kettle", b"setHot:", {"arguments": {2: {"type": b"Z"}}})
    r(b"Kettle", b"isEmpty", {"retval": {"type": b"Z"}})
    r(b"Kettle", b"pourIntoCup:", {"retval": {"type": b"Z"}})
    r(
        b"Kettle",
        b"initWithLiters:handler:",
        {
            "arguments": {
                3: {
                    "callable": {
                        "retval": {"type": b"v"},
                        "arguments": {0: {"type": b"^v"}, 1: {"type": b"Z"}, 2: {"type": b"@"}},
                    }
                }
            }
        },
    )
    r(
        b"Kettle",
        b"boilAtDegrees:completion:",
        {
            "arguments": {
                3: {
                    "callable": {
                        "retval": {"type": b"v"},
                        "arguments": {0: {"type": b"^v"}, 1: {"type": b"q"}, 2: {"type": b"@"}},
                    }
                }
            }
        },
    )
    r(
        b"NSObject",
        b"kettle:didBoilAtDegrees:",
        {"required": False, "retval": {"type": b"v"}, "arguments": {2: {"type": b"@"}, 3: {"type": b"q"}}},
    )
    r(
        b"NSObject",
        b"kettleIsDry:",
        {"required": True, "retval": {"type": b"Z"}, "arguments": {2: {"type": b"@"}}},
    )
    r(b"NSObject", b"limit", {"required": True, "retval": {"type": b"q"}})
    r(
        b"NSObject",
        b"setLimit:",
        {"required": True, "retval": {"type": b"v"}, "arguments": {2: {"type": b"q"}}},
    )
finally:
    objc._updatingMetadata(False)

objc.registerNewKeywordsFromSelector("Kettle", b"initWithLiters:handler:")
protocols = {}
expressions = {}
'''

BINARY = b"\0KettleDelegate\0"


def rows(**more):
    return Rows(
        types={"Kettle.Options": ("KettleOptions", "KettleOption")},
        names={
            "Kettle.pour(_:)": "pourIntoCup:", "KettleDelegate.kettle(_:didBoilAt:)": "kettle:didBoilAtDegrees:",
            **more,
        })


# What is planted: in the stubs, what takes the place of what, and what is said of it.
PLANTED = [
    ("a wrong value of a constant", "{ -7 }", "{ -8 }", "errKettleDry: the value of errKettleDry is -8"),
    ("a wrong value of a case", "hot = 5", "hot = 4", "KettleState.hot: the value of KettleStateHot is 4"),
    ("cases in the wrong order", "cold, warm", "warm, cold", "KettleState.cold: the value of KettleStateCold is 1"),
    ("a wrong option", "quiet = Self(rawValue: 1 << 2)", "quiet = Self(rawValue: 1 << 4)",
     "Kettle.Options.quiet: the value of KettleOptionQuiet is 16"),
    ("a wrong name of a constant", "KettleErrorDomain", "KettleErrorsDomain",
     "KettleErrorsDomain: the framework has no such constant"),
    ("a wrong name of a case", "cold,", "icy,", "no constant KettleStateIcy"),
    ("a wrong name of a string", "let small", "let tiny", "no constant KettleNameTiny"),
    ("a wrong name of a notification", "didBoilN", "didSteamN", "no constant KettleDidSteamNotification"),
    ("a wrong type of an enumeration", "enum KettleState: Int { case cold, warm, hot = 5 }",
     "enum KettleState: String { case cold }", "the type behind KettleState is str"),
    ("fields in the wrong order", "public var top: CGFloat\n    public var bottom: CGFloat",
     "public var bottom: CGFloat\n    public var top: CGFloat", "the list of fields"),
    ("a function that is not there", "func KettleMeasure", "func KettleWeigh", "no such function"),
    ("a function with too many arguments", "_ exactly: Bool)", "_ exactly: Bool, _ now: Bool)", "the number of arguments is 3"),
    ("a function with another argument", "_ exactly: Bool)", "_ exactly: Int)", "what is given and returned"),
    ("a missing selector", "func boil(", "func heat(", "no method heatAtDegrees:completion:"),
    ("a missing initializer", "init(liters", "init(gallons", "no initializer initWithGallons:handler:"),
    ("a missing property", "isHot", "isWarm", "no property isWarm"),
    ("a property that can be set", "private(set) var isEmpty", "var isEmpty", "whether it can be set is True"),
    ("a property that cannot be set", "open var isHot", "open internal(set) var isHot", "whether it can be set is False"),
    ("another result", "pour(_ cup: NSObject) -> Bool", "pour(_ cup: NSObject) -> Int", "the result of pourIntoCup:"),
    ("a block with too few arguments", "(KettleState, (any Error)?)", "((any Error)?)",
     "argument 2 of boilAtDegrees:completion:"),
    ("a block with another argument", "(KettleState,", "(Bool,", "is (Bool, object) -> nothing in the stubs"),
    ("a block that is none", "completion: (@Sendable (KettleState, (any Error)?) -> Void)? = nil", "completion: NSObject",
     "is no block in the stubs"),
    ("a block behind another name", "Handler = (Bool, (any Error)?)", "Handler = (Bool)",
     "argument 2 of initWithLiters:handler:"),
    ("a missing requirement", "func kettleIsDry", "func kettleIsWet", "no method kettleIsWet:"),
    ("a requirement of another type", "kettleIsDry(_ kettle: Kettle) -> Bool", "kettleIsDry(_ kettle: Kettle)",
     "the result of kettleIsDry:"),
    ("a required method that may be left out", "extension KettleDelegate {",
     "extension KettleDelegate {\n    public func kettleIsDry(_ kettle: Kettle) -> Bool { true }",
     "whether kettleIsDry: is required is False"),
    ("a protocol that is not there", "protocol KettleDelegate", "protocol KettleOwner", "no such protocol"),
]

# What the readers must refuse: in which text, what takes the place of what, and what is said of it.
REFUSED = [
    ("metadata of another form", METADATA, "expressions = {}", "expressions: dict = {}",
     "a statement that this reader does not know"),
    ("an enumeration of another form", METADATA, "KettleStateCold@0", "KettleStateCold@zero",
     "an enumeration that this reader"),
    ("a list of another form", METADATA, '"""$KettleDid', '"""KettleDid', "a list of names that this reader"),
    ("a call that computes", METADATA, "sel32or64(4, 5)", "compute(4, 5)", "a value that this reader"),
    ("metadata without names", METADATA, METADATA, "misc = {}", "neither constants nor enumerations"),
    ("metadata that is not Python", METADATA, "misc = {}", "misc = {", "is not Python"),
    ("Swift that is not known", STUBS, "open func rest()", "open macro rest()", "Swift that the reader does not know"),
    ("an attribute without a name", STUBS, "@available(macOS", "@(macOS", "expected a name"),
    ("a bracket that is not closed", STUBS, "open func rest() {}", "open func rest() {", "Swift that the reader does not know"),
    ("a value that cannot be read", STUBS, "{ -7 }", "{ compute() }", "The value of errKettleDry cannot be read"),
    ("a row that matches nothing", STUBS, "Kettle.Handler)", "Kettle.Handler) ", "Kettle.cool()"),
]


def found(swift, python, table):
    facts = metadata.read(python, "Kettles/_metadata.py")
    facts.protocols = BINARY
    declarations = stubs.read(swift, "Kettles", "Kettles/Kettles.swift")
    report = compare("Kettles", Stubs(declarations), facts, table)
    table.require_all_used()
    return report


def refusal(body):
    try:
        body()
    except FactsError as error:
        return str(error)
    return ""


def run(read_wheel, frameworks, show):
    failures = []
    count = 0

    def expect(what, is_so):
        nonlocal count
        count += 1
        if not is_so:
            failures.append(what)

    report = found(STUBS, METADATA, rows())
    expect(f"the stubs as they are differ: {report.different}", not report.different)
    expect(f"{report.count} facts are equal, and not 49: {dict(report.equal)}", report.count == 49)
    for what, old, new, sentence in PLANTED:
        planted = STUBS.replace(old, new)
        different = found(planted, METADATA, rows()).different if planted != STUBS else []
        expect(f"not reported: {what}: {different}", any(sentence in each for each in different))
    for what, text, old, new, sentence in REFUSED:
        planted = text.replace(old, new)
        is_swift, table = text is STUBS, rows(**{"Kettle.cool()": "cool"} if "row" in what else {})
        said = refusal(lambda: found(planted if is_swift else STUBS, METADATA if is_swift else planted, table))
        expect(f"not refused: {what}: {said}", planted != text and sentence in said)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kettles.whl")
        expect("a wheel that is none is read", "is not a wheel" in refusal(lambda: _write_and_read(path, None, read_wheel)))
        expect("a wheel without metadata is read",
               "has no _metadata.py" in refusal(lambda: _write_and_read(path, {"Kettles/__init__.py": ""}, read_wheel)))
        files = {"Kettles/_metadata.py": METADATA, "Kettles/_Kettles.so": BINARY}
        kettles = _write_and_read(path, files, read_wheel)["Kettles"]
        expect("a wheel is not read", kettles.has_constant("KettleVersion") and kettles.has_protocol("KettleDelegate"))
        os.remove(path)
        packages = [("pyobjc-framework-Kettles", "1.0", "0" * 64)]
        expect("a wheel that is missing is not missed", "has 0 wheels" in refusal(lambda: frameworks(folder, packages)))
        _write_and_read(os.path.join(folder, "pyobjc_framework_kettles-1.0-cp312.whl"), files, read_wheel)
        expect("another wheel than the recorded one is read", "SHA-256" in refusal(lambda: frameworks(folder, packages)))
    with contextlib.redirect_stdout(io.StringIO()):
        expect("equal facts do not pass", show([report], {"Kettles": report.count}))
        expect("fewer facts than are recorded pass", not show([report], {"Kettles": report.count + 1}))
        expect("a module of which nothing is compared passes", not show([found("", METADATA, Rows())], {}))
        different = found(STUBS.replace("{ -7 }", "{ -8 }"), METADATA, rows())
        expect("a difference passes", not show([different], {}))
    for failure in failures:
        print(f"error: self-test: {failure}")
    print(f"self-test: {count - len(failures)} of {count} expectations hold")
    return not failures


def _write_and_read(path, files, read_wheel):
    if files is None:
        with open(path, "w", encoding="utf-8") as file:
            file.write("not a wheel")
    else:
        with zipfile.ZipFile(path, "w") as wheel:
            for name, content in files.items():
                wheel.writestr(name, content)
    return read_wheel(path)
