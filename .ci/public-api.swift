import Foundation

// Compares the public symbols of the modules with the baseline, one file for each module, and says what differs. An app may not
// compile after a line was removed or changed; neither after a new requirement of a protocol, or a new case of an enumeration.
// So every difference is to be seen in review.
//
// Usage: public-api GRAPHS BASELINE [renew]
//   GRAPHS    the folder with the symbol graphs
//   BASELINE  the folder with the baseline, which is written anew after 'renew'

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }

        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]?

        /// What the compiler adds for a protocol of the standard library is no declaration of the module.
        var isDeclared: Bool { !identifier.precise.contains("::SYNTHESIZED::") }
        var path: String { pathComponents.joined(separator: ".") }
        /// The declaration, on one line.
        var declaration: String {
            (declarationFragments ?? []).map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
        }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
    let relationships: [Relationship]
}

/// What the compiler infers of almost every type.
let inferred: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable"]

/// The symbols of each module, one line each.
func lines(of graphs: [Graph]) -> [String: Set<String>] {
    var lines: [String: Set<String>] = [:]
    let names = Dictionary(
        graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0.path) }, uniquingKeysWith: { first, _ in first })
    for graph in graphs {
        for symbol in graph.symbols where symbol.isDeclared {
            lines[graph.module.name, default: []].insert("\(symbol.path)  \(symbol.declaration)")
        }
        for relation in graph.relationships {
            guard let source = names[relation.source] else { continue }
            let target = names[relation.target] ?? relation.targetFallback ?? relation.target
            switch relation.kind {
            case "conformsTo" where !inferred.contains(target):
                lines[graph.module.name, default: []].insert("\(source)  : \(target)")
            case "requirementOf": lines[graph.module.name, default: []].insert("\(source)  required by \(target)")
            default: break
            }
        }
    }
    return lines
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || arguments.count == 3 && arguments[2] == "renew" else {
    FileHandle.standardError.write(Data("usage: public-api GRAPHS BASELINE [renew]\n".utf8))
    exit(2)
}
let (graphs, baseline) = (URL(fileURLWithPath: arguments[0]), URL(fileURLWithPath: arguments[1]))
let files = try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil)
let found = lines(
    of: try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
        .map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) })
guard !found.isEmpty else {
    print("There is no symbol graph in \(graphs.path).")
    exit(2)
}
if arguments.count == 3 {
    try FileManager.default.createDirectory(at: baseline, withIntermediateDirectories: true)
    for (module, lines) in found.sorted(by: { $0.key < $1.key }) {
        try Data((lines.sorted().joined(separator: "\n") + "\n").utf8)
            .write(to: baseline.appendingPathComponent("\(module).txt"))
        print("\(module): \(lines.count) lines")
    }
    exit(0)
}
let recorded = (try? FileManager.default.contentsOfDirectory(at: baseline, includingPropertiesForKeys: nil)) ?? []
let modules = Set(found.keys).union(recorded.map { $0.deletingPathExtension().lastPathComponent })
var differences = 0
for module in modules.sorted() {
    let text = try? String(contentsOf: baseline.appendingPathComponent("\(module).txt"), encoding: .utf8)
    let (known, lines) = (Set((text ?? "").split(separator: "\n").map(String.init)), found[module] ?? [])
    for line in known.subtracting(lines).sorted() { print("- \(module)  \(line)") }
    for line in lines.subtracting(known).sorted() { print("+ \(module)  \(line)") }
    differences += known.symmetricDifference(lines).count
}
if differences > 0 {
    print(
        """
        The public symbols differ from the baseline in \(differences) lines. Where a line with - has no equal with +, or a \
        requirement or a case is new, apps may not compile. If that is meant, renew the baseline: \
        AUTHSTREAMS_PUBLIC_API=renew .ci/run public-api
        """)
    exit(1)
}
