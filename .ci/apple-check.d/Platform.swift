/// A system of Apple's, as a target of the compiler.
struct Platform: Sendable, Hashable {
    /// As people and `@available` call it.
    let name: String
    /// As the manifest's dump calls it.
    let manifestName: String
    /// The system in a target triple.
    let system: String
    /// What follows the version in a target triple.
    var environment = ""

    static let all = [
        Platform(name: "macOS", manifestName: "macos", system: "macosx"),
        Platform(name: "iOS", manifestName: "ios", system: "ios"),
        Platform(name: "Catalyst", manifestName: "maccatalyst", system: "ios", environment: "-macabi"),
        Platform(name: "tvOS", manifestName: "tvos", system: "tvos"),
        Platform(name: "watchOS", manifestName: "watchos", system: "watchos"),
        Platform(name: "visionOS", manifestName: "visionos", system: "xros"),
    ]

    func triple(_ version: String) -> String { "arm64-apple-\(system)\(version)\(environment)" }

    /// How a module's file is named for this system.
    var moduleFile: String { "arm64-apple-\(system == "macosx" ? "macos" : system)\(environment)" }

    /// A target triple of this system that is as long as another. Its version only has to be an old one.
    func triple(asLongAs other: String) throws -> String {
        switch other.utf8.count - triple("").utf8.count {
        case 0: return triple("")
        case 1: return triple("1")
        case 2: return triple("10")
        case let room where room > 2: return triple("1." + String(repeating: "0", count: room - 2))
        default: throw CannotLook(reason: "no target of \(name) has as few letters as '\(other)'")
        }
    }

    /// Whether programs for the command line, and the tests of them, exist there.
    var hasPrograms: Bool { name == "macOS" }

    /// Whether privacy manifests are looked at: the code for iOS stands for that of the other systems.
    var hasPrivacyManifests: Bool { name == "iOS" }

    /// Whether the apps of tutorials are for it.
    var hasTutorials: Bool { name == "iOS" }

    /// What Foundation declares on Linux and on macOS alone among Apple's systems: the pages of each name them.
    var absentNames: [String] { name == "macOS" ? [] : ["Process", "Host", "homeDirectoryForCurrentUser"] }

    /// Whether the system has a framework: AppKit is macOS's, UIKit every other's, and LocalAuthentication not tvOS's.
    func has(framework: String) -> Bool {
        switch framework {
        case "AppKit": name == "macOS"
        case "UIKit": name != "macOS"
        case "LocalAuthentication": name != "tvOS"
        default: true
        }
    }
}
