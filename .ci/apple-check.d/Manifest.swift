import Foundation

/// What `swift package dump-package` says about a package.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [Dependency]
        let settings: [Setting]

        var isLibrary: Bool { type == "regular" }

        /// The folder of its sources, relative to the package.
        var folder: String { path ?? (type == "test" ? "Tests/" : "Sources/") + name }
    }

    /// A dependency's name is the first part of its only value.
    struct Dependency: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let values = try decoder.singleValueContainer().decode([String: [Value?]].self)
            guard case .text(let name)?? = values.values.first?.first else {
                throw CannotLook(reason: "the manifest has a dependency without a name")
            }
            self.name = name
        }
    }

    struct Setting: Decodable {
        struct Condition: Decodable {
            let platformNames: [String]
            let config: String?
        }
        let tool: String
        let kind: [String: [String: Value]]
        let condition: Condition?
    }

    enum Value: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            self = (try? decoder.singleValueContainer().decode(String.self)).map(Self.text) ?? .other
        }
    }

    struct Deployment: Decodable {
        let platformName: String
        let version: String
    }

    struct ToolsVersion: Decodable {
        let _version: String
    }

    let name: String
    let platforms: [Deployment]
    let targets: [Target]
    let toolsVersion: ToolsVersion

    init(of package: URL, scratch: URL) throws {
        let dump = try Command.output(
            of: ["swift", "package", "--package-path", package.path, "--scratch-path", scratch.path, "dump-package"],
            in: package)
        self = try JSONDecoder().decode(Self.self, from: dump)
    }

    /// The oldest version of a platform that the package is for. Catalyst's is that of iOS, unless it has its own.
    func version(of platform: Platform) throws -> String {
        let names = platform.name == "Catalyst" ? ["maccatalyst", "ios"] : [platform.manifestName]
        for name in names {
            if let found = platforms.first(where: { $0.platformName == name }) { return found.version }
        }
        throw CannotLook(reason: "the manifest names no version of \(platform.name)")
    }

    /// Whether the package names the platform.
    func names(_ platform: Platform) -> Bool { platforms.contains { $0.platformName == platform.manifestName } }

    /// The targets, each after those it depends on.
    var orderedTargets: [Target] {
        var ordered: [Target] = []
        func add(_ target: Target) {
            guard !ordered.contains(where: { $0.name == target.name }) else { return }
            for dependency in target.dependencies {
                if let found = targets.first(where: { $0.name == dependency.name }) { add(found) }
            }
            ordered.append(target)
        }
        for target in targets { add(target) }
        return ordered
    }

    /// The flags that the settings of a target mean on a platform, in a debug build.
    func flags(of target: Target, on platform: Platform) throws -> [String] {
        var flags = ["-D", "SWIFT_PACKAGE", "-D", "DEBUG", "-package-name", name]
        var language = String(toolsVersion._version.prefix { $0 != "." })
        for setting in target.settings where setting.tool == "swift" {
            if let names = setting.condition?.platformNames, !names.isEmpty, !names.contains(platform.manifestName) {
                continue
            }
            if let configuration = setting.condition?.config, configuration != "debug" { continue }
            guard let (kind, values) = setting.kind.first else { continue }
            switch (kind, values["_0"]) {
            case ("define", .text(let name)): flags += ["-D", name]
            case ("enableUpcomingFeature", .text(let name)): flags += ["-enable-upcoming-feature", name]
            case ("enableExperimentalFeature", .text(let name)): flags += ["-enable-experimental-feature", name]
            case ("swiftLanguageMode", .text(let mode)): language = mode
            case ("treatAllWarnings", _), ("treatWarning", _): break
            default: throw CannotLook(reason: "the manifest has a setting that this check cannot apply: \(kind)")
            }
        }
        return flags + ["-swift-version", language]
    }

    /// The conditions that libraries have on a platform, as flags.
    func conditions(on platform: Platform) throws -> [String] {
        let names = try targets.filter(\.isLibrary).flatMap { target in
            let flags = try flags(of: target, on: platform)
            return zip(flags, flags.dropFirst()).filter { $0.0 == "-D" }.map(\.1)
        }
        return Set(names).sorted().flatMap { ["-D", $0] }
    }

    /// The first line of a package's manifest that names a target or a condition.
    static func line(of name: String, in package: URL) throws -> Int {
        let lines = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
            .components(separatedBy: "\n")
        return (lines.firstIndex { $0.contains("\"\(name)\"") } ?? 0) + 1
    }

    /// What each condition forgets: Mac Catalyst is a platform of its own for the package manager, and is not `.iOS`.
    func forgottenCatalyst() -> Set<String> {
        var forgotten: Set<String> = []
        for setting in targets.flatMap(\.settings) {
            guard let names = setting.condition?.platformNames, names.contains("ios"), !names.contains("maccatalyst"),
                let (kind, values) = setting.kind.first
            else { continue }
            if case .text(let name) = values["_0"] { forgotten.insert(name) } else { forgotten.insert(kind) }
        }
        return forgotten
    }
}
