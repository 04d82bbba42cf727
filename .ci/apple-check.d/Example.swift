import Foundation

/// An example that is a package of its own, in a folder of `Examples`. It depends on the package alone.
struct Example: Sendable {
    let folder: URL
    let manifest: Manifest

    /// All but its tests, each after those it depends on.
    var targets: [Manifest.Target] { manifest.orderedTargets.filter { $0.type != "test" } }

    static func all(below package: URL, scratch: URL) throws -> [Example] {
        let examples = package.appending(path: "Examples")
        let folders = try? FileManager.default.contentsOfDirectory(at: examples, includingPropertiesForKeys: nil)
        return try (folders ?? [])
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "Package.swift").path) }
            .sorted { $0.path < $1.path }
            .map { Example(folder: $0, manifest: try Manifest(of: $0, scratch: scratch)) }
    }
}
