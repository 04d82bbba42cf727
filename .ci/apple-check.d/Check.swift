import Foundation

/// A package looked at for every platform of Apple's.
struct Check {
    let package: URL
    /// Stand-ins for modules that only Apple has. The package's own, in `Tests/AppleStubs`, go before them.
    let standIns: URL
    var platforms = Platform.all
    /// Whether the steps of tutorials are all that is looked at.
    var isOfTutorials = false

    struct Report {
        var findings: Set<Finding> = []
        /// What was not looked at, and why.
        var notes: [String] = []
    }

    func report() async throws -> Report {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apple-check-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let manifest = try Manifest(of: package, scratch: folder.appending(path: "scratch"))
        let linux = try LinuxModules()
        let targets = manifest.orderedTargets.filter { $0.type != "test" }
        let examples = try Example.all(below: package, scratch: folder.appending(path: "scratch"))
        let tutorials = try Tutorial.all(in: package)
        var report = Report()
        for name in manifest.forgottenCatalyst() {
            report.findings.insert(
                Finding(
                    file: "Package.swift", line: try Manifest.line(of: name, in: package),
                    text: "the condition of '\(name)' names .iOS and not .macCatalyst", platform: "Catalyst"))
        }
        // The compiler blocks a thread, of which there are as many as cores.
        report.findings.formUnion(
            try await withThrowingTaskGroup(of: Set<Finding>.self) { group in
                for platform in platforms {
                    group.addTask {
                        var compilation = try Compilation(
                            of: package, manifest: manifest, for: platform, linux: linux, in: folder)
                        try compilation.standIns([standIns, package.appending(path: "Tests/AppleStubs")])
                        guard !isOfTutorials else {
                            try compilation.interfaces(of: targets.filter(\.isLibrary))
                            return try tutorials.reduce(into: []) { $0.formUnion(try compilation.findings(in: $1)) }
                        }
                        var found = try compilation.findings(targets.filter { $0.isLibrary || platform.hasPrograms })
                        for example in examples where example.manifest.names(platform) {
                            found.formUnion(try compilation.findings(in: example))
                        }
                        for tutorial in tutorials where platform.hasTutorials {
                            found.formUnion(try compilation.findings(in: tutorial))
                        }
                        return found
                    }
                }
                return try await group.reduce(into: Set<Finding>()) { $0.formUnion($1) }
            })
        for tutorial in tutorials {
            report.notes.append("iOS alone, with \(tutorial.steps.count) steps of code: \(tutorial.name)")
        }
        guard !isOfTutorials else { return report }
        func names(_ targets: [Manifest.Target]) -> String { targets.map(\.name).sorted().joined(separator: ", ") }
        let programs = targets.filter { !$0.isLibrary }
        if !programs.isEmpty {
            report.notes.append(
                "macOS alone, because other systems have no programs for a terminal: \(names(programs))")
        }
        for example in examples {
            let named = platforms.filter(example.manifest.names).map(\.name).joined(separator: ", ")
            report.notes.append("\(named), because its manifest names no other: \(example.manifest.name)")
        }
        let tests = (manifest.targets + examples.flatMap(\.manifest.targets)).filter { $0.type == "test" }
        if !tests.isEmpty { report.notes.append("not looked at, because they run on Linux alone: \(names(tests))") }
        return report
    }
}

extension Check.Report {
    /// A line for each finding, with the platforms that it is about.
    var lines: [String] {
        struct Place: Hashable { let file: String, line: Int, text: String }
        let order = Platform.all.map(\.name)
        return Dictionary(grouping: findings) { Place(file: $0.file, line: $0.line, text: $0.text) }
            .sorted { ($0.key.file, $0.key.line, $0.key.text) < ($1.key.file, $1.key.line, $1.key.text) }
            .map { place, found in
                let platforms = order.filter { name in found.contains { $0.platform == name } }
                return "\(place.file):\(place.line): error: \(place.text) (\(platforms.joined(separator: ", ")))"
            }
    }
}
