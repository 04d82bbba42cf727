import Foundation

/// A tutorial of a documentation catalogue, whose steps write an app file by file.
struct Tutorial: Sendable {
    /// A step with code: a file of the app as it is from this step on.
    struct Step: Sendable {
        /// The name of the file in the reader's project.
        let name: String
        /// The file of the catalogue that the step shows.
        let file: URL
        /// Where the tutorial shows it.
        let line: Int
    }

    let file: URL
    let steps: [Step]
    /// The Swift files of its catalogue that no step shows.
    let unused: [URL]

    var name: String { file.deletingPathExtension().lastPathComponent }

    /// Every tutorial with code in the catalogues of a package.
    static func all(in package: URL) throws -> [Tutorial] {
        let files = FileManager.default.files(below: package.appending(path: "Sources"))
            .filter { $0.pathComponents.contains { $0.hasSuffix(".docc") } }
        return try files.filter { $0.pathExtension == "tutorial" }.compactMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let steps = text.components(separatedBy: "\n").enumerated().compactMap { index, line in
                line.firstMatch(of: /@Code\(name: "([^"]+)", file: "([^"]+)"/).map { match in
                    let shown = files.first { $0.lastPathComponent == match.2 }
                    return Step(
                        name: String(match.1), file: shown ?? file.appending(path: String(match.2)), line: index + 1)
                }
            }
            let catalogue = file.deletingLastPathComponent().path + "/"
            let unused = files.filter { other in
                other.pathExtension == "swift" && other.path.hasPrefix(catalogue)
                    && !steps.contains { $0.file == other }
            }
            return steps.isEmpty ? nil : Tutorial(file: file, steps: steps, unused: unused)
        }
    }
}

extension Compilation {
    /// The settings of an app: those of the language mode 6, and those that Xcode gives a new project.
    private static let appSettings = [
        ["-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility"],
        ["-swift-version", "5", "-default-isolation", "MainActor"]
            + [
                "MemberImportVisibility", "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
            ].flatMap { ["-enable-upcoming-feature", $0] },
    ]

    /// Compiles the app and its tests as they are after each step of a tutorial, up to the first step that does not compile.
    ///
    /// A file that imports the app with `@testable`, or Testing, belongs to the tests.
    func findings(in tutorial: Tutorial) throws -> Set<Finding> {
        if let step = tutorial.steps.first(where: { !FileManager.default.fileExists(atPath: $0.file.path) }) {
            return [finding(at: tutorial.file, step.line, "there is no file \(step.file.lastPathComponent)")]
        }
        var found: Set<Finding> = []
        for file in tutorial.unused { found.insert(finding(at: file, 1, "no step of \(tutorial.name) shows it")) }
        let steps = try tutorial.steps.filter { $0.file.pathExtension == "swift" }
            .map { ($0, text: try String(contentsOf: $0.file, encoding: .utf8)) }
        let app = steps.lazy.compactMap { $0.text.firstMatch(of: /@testable import (\w+)/) }.first?.output.1 ?? "App"
        for settings in Self.appSettings {
            var files: [String: [String: URL]] = [:]
            for (step, text) in steps {
                let module = text.contains(/@testable import|import Testing/) ? "\(app)Tests" : "\(app)"
                files[module, default: [:]][step.name] = step.file
                // What a step changes, and what depends on it.
                for (part, parts) in files.sorted(by: { $0.key < $1.key }) where part.hasPrefix(module) {
                    let faults = try faults(part, parts.values.sorted { $0.path < $1.path }, settings, at: step)
                    guard faults.isEmpty else { return found.union(faults) }
                }
            }
        }
        return found
    }

    private func faults(
        _ module: String, _ files: [URL], _ settings: [String], at step: Tutorial.Step
    ) throws -> Set<Finding> {
        let flags = [
            "-import-module", "FoundationOfApple", "-enable-testing", "-parse-as-library", "-warnings-as-errors",
        ]
        let command = try frontend(module, files, settings + flags)
        guard command.status != 0 else { return [] }
        let name = step.file.lastPathComponent
        let found = diagnostics(in: command.errors)
        guard !found.isEmpty else {
            throw CannotLook(reason: "step \(name) does not compile:\n\(command.errors.prefix(1500))")
        }
        return Set(
            found.map {
                Finding(file: $0.file, line: $0.line, text: "\($0.text), at step \(name)", platform: $0.platform)
            })
    }

    private func finding(at file: URL, _ line: Int, _ text: String) -> Finding {
        let root = package.path + "/"
        let path = file.path.hasPrefix(root) ? String(file.path.dropFirst(root.count)) : file.path
        return Finding(file: path, line: line, text: text, platform: platform.name)
    }
}

extension FileManager {
    /// The files below a folder, in the order of their paths.
    func files(below folder: URL) -> [URL] {
        let found = enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return found.sorted { $0.path < $1.path }
    }
}
