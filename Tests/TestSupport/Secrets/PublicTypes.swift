import AuthStreams
package import Foundation
import Testing

/// The public structs, classes, actors and enums of compiled modules.
package struct PublicTypes {
    /// Where the stage 'printed-secrets' of .ci/run has made the symbol graphs of the modules; `nil` outside of it.
    package static let symbolGraphs = ProcessInfo.processInfo.environment["AUTHSTREAMS_SYMBOL_GRAPHS"].map {
        URL(filePath: $0)
    }

    /// With their modules, such as `AuthStreams.AuthRequest`.
    private let names: Set<String>

    /// - Parameter folder: The folder with the symbol graphs of the modules.
    package init(in folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let names = try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }.flatMap { file in
            // The graph `A@B` has what the module A adds to types of B.
            let modules = file.lastPathComponent.dropLast(".symbols.json".count).split(separator: "@")
            let graph = try #require(AuthJSON(json: try Data(contentsOf: file)))
            return (graph["symbols"]?.array ?? []).compactMap { symbol -> String? in
                let kinds = ["swift.struct", "swift.class", "swift.actor", "swift.enum"]
                guard let kind = symbol["kind"]?["identifier"]?.string, kinds.contains(kind) else { return nil }
                let path = (symbol["pathComponents"]?.array ?? []).compactMap(\.string)
                return "\(modules.last ?? "").\(path.joined(separator: "."))"
            }
        }
        self.names = Set(names)
    }

    /// What contradicts that each type either has a sample or holds no secret.
    ///
    /// - Parameter withoutSecrets: The types that hold none by module, separated by white space.
    package func faults(of samples: [SecretSample], withoutSecrets: [String: String]) -> [String] {
        let samples = Set(samples.map { Self.name(of: $0.type) })
        let others = Set(
            withoutSecrets.flatMap { module, names in
                names.split(whereSeparator: \.isWhitespace).map { "\(module).\($0)" }
            })
        let missing = withoutSecrets.keys.filter { module in !names.contains { $0.hasPrefix("\(module).") } }
        return missing.map { "There is no symbol graph of \($0)." }
            + names.subtracting(samples).subtracting(others).sorted().map { "\($0) has no sample." }
            + others.subtracting(names).sorted().map { "\($0) is not public, or is gone." }
            + others.intersection(samples).sorted().map { "\($0) has a sample, and is said to hold no secret." }
    }

    /// The name of a type with its module, without generic arguments.
    private static func name(of type: Any.Type) -> String {
        var (name, depth) = ("", 0)
        for character in String(reflecting: type) {
            if character == "<" { depth += 1 }
            if depth == 0 { name.append(character) }
            if character == ">" { depth -= 1 }
        }
        return name
    }
}
