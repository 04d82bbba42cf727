import Foundation

/// What the compiler said about a line on one platform.
struct Finding: Hashable, Sendable {
    let file: String
    let line: Int
    let text: String
    let platform: String
}

/// The package compiled for one platform, as far as the compiler finds faults: types, availability, isolation.
struct Compilation {
    let package: URL
    let manifest: Manifest
    let platform: Platform
    private let modules: URL
    private var flags: [String]

    init(of package: URL, manifest: Manifest, for platform: Platform, linux: LinuxModules, in folder: URL) throws {
        self.package = package
        self.manifest = manifest
        self.platform = platform
        let version = try manifest.version(of: platform)
        modules = folder.appending(path: "modules-" + platform.name)
        flags = try linux.copy(for: platform, version: version, to: modules)
        if platform.name == "visionOS" { flags += try Self.visionOSKit(in: modules) }
    }

    /// A folder that says which version of visionOS follows which of iOS, where `@available` names iOS alone.
    ///
    /// The compiler reads it from an SDK. It expects the C headers there, too.
    private static func visionOSKit(in folder: URL) throws -> [String] {
        let kit = folder.appending(path: "visionOS.sdk")
        var versions = ["17.4": "1.1", "17.5": "1.2", "18.0": "2.0", "26.0": "26.0"]
        for old in 13...17 { versions["\(old).0"] = "1.0" }
        let settings: [String: Any] = [
            "CanonicalName": "xros1.0", "DisplayName": "visionOS", "Version": "26.0",
            "MaximumDeploymentTarget": "26.99",
            "VersionMap": ["iOS_visionOS": versions],
        ]
        try FileManager.default.createDirectory(at: kit, withIntermediateDirectories: true)
        try JSONSerialization.data(withJSONObject: settings).write(to: kit.appending(path: "SDKSettings.json"))
        try FileManager.default.createSymbolicLink(
            at: kit.appending(path: "usr"), withDestinationURL: URL(filePath: "/usr"))
        return ["-sdk", kit.path]
    }

    /// Makes modules that stand for Apple's: `MODULE.swift`, or a folder of that name.
    ///
    /// Apple's are in C or Objective-C mostly, which say nothing about concurrency. So these are of language mode 5. They have
    /// the conditions of the libraries, by which one framework refers to another.
    mutating func standIns(_ folders: [URL]) throws {
        let conditions = try manifest.conditions(on: platform)
        var sources: [String: [URL]] = [:]
        for folder in folders {
            let entries =
                (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
            for entry in entries {
                let name = entry.deletingPathExtension().lastPathComponent
                let files = entry.pathExtension == "swift" ? [entry] : Self.swiftFiles(below: entry)
                if !files.isEmpty, platform.has(framework: name) { sources[name] = files }
            }
        }
        var made: Set<String> = []
        func make(_ name: String) throws {
            guard let files = sources[name], made.insert(name).inserted else { return }
            for file in files {
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let words = line.split(separator: " ")
                    if let at = words.firstIndex(of: "import"), at + 1 < words.count { try make(String(words[at + 1])) }
                }
            }
            let command = try frontend(
                name, files,
                [
                    "-swift-version", "5", "-package-name", manifest.name, "-parse-as-library",
                    "-disable-availability-checking",
                ] + conditions + LinuxModules.aliases)
            guard command.status == 0 else {
                throw CannotLook(
                    reason:
                        "the module \(name) does not compile for \(platform.name):\n\(command.errors.prefix(1500))"
                )
            }
        }
        for name in sources.keys.sorted() { try make(name) }
    }

    /// Compiles the targets that exist on the platform.
    func findings(_ targets: [Manifest.Target]) throws -> Set<Finding> {
        var findings: Set<Finding> = []
        for target in targets {
            var flags = try manifest.flags(of: target, on: platform)
            if target.isLibrary { flags.append("-application-extension") }
            let isComplete = platform.hasPrivacyManifests && target.isLibrary
            let object = isComplete ? modules.appending(path: target.name + ".o") : nil
            let found = try self.findings(target, package.appending(path: target.folder), flags, object: object)
            if found.isEmpty, let object { findings.formUnion(try privacyFindings(target, object)) }
            findings.formUnion(found)
        }
        return findings
    }

    /// Compiles an example that is a package of its own, with what is public in the targets before. It is an app, or for apps: not
    /// for their extensions.
    func findings(in example: Example) throws -> Set<Finding> {
        let version = try example.manifest.version(of: platform)
        guard try version == manifest.version(of: platform) else {
            throw CannotLook(
                reason: "\(example.manifest.name) and the package are for other versions of \(platform.name)")
        }
        return try example.targets.reduce(into: []) { findings, target in
            let flags = try example.manifest.flags(of: target, on: platform)
            findings.formUnion(try self.findings(target, example.folder.appending(path: target.folder), flags))
        }
    }

    /// Compiles a target, and its code too if an object file is wanted.
    private func findings(
        _ target: Manifest.Target, _ folder: URL, _ targetFlags: [String], object: URL? = nil
    ) throws -> Set<Finding> {
        let sources = Self.swiftFiles(below: folder)
        let flags = Self.flags(of: sources) + targetFlags
        let command = try frontend(target.name, sources, flags, object: object)
        guard command.status != 0 else { return [] }
        let found = diagnostics(in: command.errors)
        guard !found.isEmpty else {
            throw CannotLook(
                reason: "\(target.name) does not compile for \(platform.name):\n\(command.errors.prefix(1500))")
        }
        // Those that depend on it are looked at all the same.
        try interface(of: target.name, sources, flags)
        return found
    }

    /// Compiles what targets declare, and not what they do.
    func interfaces(of targets: [Manifest.Target]) throws {
        for target in targets {
            let sources = Self.swiftFiles(below: package.appending(path: target.folder))
            try interface(of: target.name, sources, Self.flags(of: sources) + manifest.flags(of: target, on: platform))
        }
    }

    private func interface(of module: String, _ sources: [URL], _ flags: [String]) throws {
        _ = try frontend(
            module, sources,
            flags + [
                "-experimental-skip-all-function-bodies", "-experimental-allow-module-with-compiler-errors",
                "-disable-availability-checking",
            ])
    }

    private static func flags(of sources: [URL]) -> [String] {
        let isProgram = sources.contains { $0.lastPathComponent == "main.swift" }
        return ["-import-module", "FoundationOfApple", "-enable-testing"] + (isProgram ? [] : ["-parse-as-library"])
    }

    /// Compares a library's privacy manifest with the symbols that its object file refers to.
    private func privacyFindings(_ target: Manifest.Target, _ object: URL) throws -> [Finding] {
        let symbols = try Command.output(
            of: ["llvm-nm", "--undefined-only", "--just-symbol-name", object.path], in: package)
        let names = Set(String(decoding: symbols, as: UTF8.self).split(separator: "\n").map(String.init))
        guard !names.isEmpty else { throw CannotLook(reason: "the object file of \(target.name) refers to no symbol") }
        let line = try Manifest.line(of: target.name, in: package)
        return try PrivacyManifest.problems(in: package.appending(path: target.folder), symbols: names)
            .map { Finding(file: "Package.swift", line: line, text: "\(target.name): \($0)", platform: platform.name) }
    }

    /// Compiles a module, and its code too if an object file is wanted.
    func frontend(
        _ module: String, _ files: [URL], _ flags: [String], object: URL? = nil
    ) throws -> Command {
        let interface = modules.appending(path: module + ".swiftmodule").path
        let outputs =
            object.map { ["-c", "-wmo", "-emit-module-path", interface, "-o", $0.path] }
            ?? ["-emit-module", "-o", interface]
        return try Command(
            ["swiftc", "-frontend"] + outputs + self.flags + flags + ["-module-name", module] + files.map(\.path),
            in: package)
    }

    /// The errors that the compiler printed.
    func diagnostics(in errors: String) -> Set<Finding> {
        var findings: Set<Finding> = []
        for line in errors.split(separator: "\n") {
            guard let (_, path, number, text) = line.wholeMatch(of: /(.+?):(\d+):(?:\d+: )?error: (.*)/)?.output else {
                continue
            }
            let root = package.path + "/"
            let file = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : String(path)
            findings.insert(Finding(file: file, line: Int(number) ?? 0, text: String(text), platform: platform.name))
        }
        return findings
    }

    /// The sources below a folder, without those that a documentation catalogue shows.
    private static func swiftFiles(below folder: URL) -> [URL] {
        FileManager.default.files(below: folder)
            .filter { $0.pathExtension == "swift" && !$0.pathComponents.contains { $0.hasSuffix(".docc") } }
    }
}
