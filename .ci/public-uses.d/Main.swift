import Foundation
import IndexStore

// Finds public symbols that nothing outside uses: no article, no example, and no test that sees the public API alone. Such a
// symbol should be internal or `package`.
//
// Usage: public-uses --graphs FOLDER --indexes STORE… --users FOLDER… --articles FILE…
//   --graphs    the folder with the symbol graphs of the modules
//   --indexes   the index stores of builds
//   --users     the folders with the examples and the tests
//   --articles  the Markdown files
//
// A symbol is used if a file of the users refers to it, unless the file imports its module with `@testable`, or if an article
// has its name and its labels, an initializer as `Type(` or `Type/init(`. A used symbol uses its parent and the types of its
// declaration; a used type uses its cases, its requirements, and what it has for the requirements of protocols.

// MARK: Symbol graphs

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let preciseIdentifier: String? }

        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]?
    }

    struct Relationship: Decodable {
        struct Origin: Decodable { let identifier: String }

        let kind: String
        let source: String
        let target: String
        let sourceOrigin: Origin?
    }

    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
    let relationships: [Relationship]
}

/// A public symbol.
struct PublicSymbol {
    let module: String
    let symbol: Graph.Symbol
    var parent: String?
    /// Whether a type that is used uses it.
    var comesWithItsParent = false

    var path: String { symbol.pathComponents.joined(separator: ".") }
    /// The name without its labels, and the labels.
    var words: (name: Substring, labels: [Substring]) {
        let own = symbol.pathComponents.last ?? ""
        let name = own.prefix { $0 != "(" }
        return (name, own.dropFirst(name.count).split { "(:)_".contains($0) })
    }
}

func publicSymbols(in folder: String) throws -> [String: PublicSymbol] {
    var symbols: [String: PublicSymbol] = [:]
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = files.filter { $0.hasSuffix(".json") }
    let graphs = try names.map { name in
        try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
    for graph in graphs {
        // What the compiler adds for a protocol of the standard library is no declaration of the module.
        for symbol in graph.symbols where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
            symbols[symbol.identifier.precise] = PublicSymbol(
                module: graph.module.name, symbol: symbol,
                comesWithItsParent: symbol.kind.identifier == "swift.enum.case")
        }
    }
    for relation in graphs.flatMap(\.relationships) {
        let isRequirement = ["requirementOf", "optionalRequirementOf"].contains(relation.kind)
        if isRequirement || relation.kind == "memberOf" { symbols[relation.source]?.parent = relation.target }
        if isRequirement || relation.sourceOrigin != nil { symbols[relation.source]?.comesWithItsParent = true }
    }
    return symbols
}

// MARK: Index stores

/// What the files of builds refer to.
struct Uses {
    /// The modules whose internals a file sees, for each file that refers to the symbol.
    var files: [String: Set<Set<String>>] = [:]
    /// The symbols that stand for a requirement of a protocol.
    var witnesses: Set<String> = []

    /// Whether a file refers to the symbol that does not see the internals of its module.
    func hasUse(of usr: String, in module: String) -> Bool {
        files[usr]?.contains { !$0.contains(module) } ?? false
    }
}

/// One place in a file where a symbol occurs.
struct Occurrence {
    let usr: String
    let isReference: Bool
    /// The requirements that a definition is for.
    let requirements: [String]
}

func text(_ reference: indexstore_string_ref_t) -> String {
    String(decoding: UnsafeRawBufferPointer(start: reference.data, count: reference.length), as: UTF8.self)
}

/// Collects what a function of the library hands to its callback.
func collect<Element>(_ apply: (UnsafeMutableRawPointer) -> Void, of type: Element.Type) -> [Element] {
    var elements: [Element] = []
    withUnsafeMutablePointer(to: &elements) { apply($0) }
    return elements
}

func append<Element>(_ element: Element, to context: UnsafeMutableRawPointer?) -> Bool {
    context?.assumingMemoryBound(to: [Element].self).pointee.append(element)
    return true
}

func occurrences(in record: String, of store: UnsafeMutableRawPointer) -> [Occurrence] {
    guard let reader = indexstore_record_reader_create(store, record, nil) else { return [] }
    defer { indexstore_record_reader_dispose(reader) }
    return collect(
        { context in
            _ = indexstore_record_reader_occurrences_apply_f(reader, context) { context, occurrence in
                let requirements = collect(
                    { context in
                        _ = indexstore_occurrence_relations_apply_f(occurrence, context) { context, relation in
                            let isOverride = indexstore_symbol_relation_get_roles(relation) & (1 << 11) != 0
                            guard isOverride else { return true }
                            let base = indexstore_symbol_relation_get_symbol(relation)
                            return append(text(indexstore_symbol_get_usr(base)), to: context)
                        }
                    }, of: String.self)
                let usr = text(indexstore_symbol_get_usr(indexstore_occurrence_get_symbol(occurrence)))
                let isReference = indexstore_occurrence_get_roles(occurrence) & (1 << 2) != 0
                return append(
                    Occurrence(usr: usr, isReference: isReference, requirements: requirements), to: context)
            }
        }, of: Occurrence.self)
}

/// The modules that a file imports with their internals.
func internals(of file: String) -> Set<String> {
    let source = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return Set(source.matches(of: #/@testable import (\w+)/#).map { String($0.1) })
}

func readUses(of store: String, by users: [String], into uses: inout Uses) {
    guard FileManager.default.fileExists(atPath: store), let index = indexstore_store_create(store, nil) else {
        fail("There is no index at \(store).")
    }
    let units = collect(
        { _ = indexstore_store_units_apply_f(index, 1, $0) { append(text($1), to: $0) } }, of: String.self)
    var hasUser = false
    for name in units {
        guard let unit = indexstore_unit_reader_create(index, name, nil) else { continue }
        defer { indexstore_unit_reader_dispose(unit) }
        let file = text(indexstore_unit_reader_get_main_file(unit))
        // A build keeps the units of files that are gone.
        guard FileManager.default.fileExists(atPath: file) else { continue }
        let isUser = users.contains(where: file.hasPrefix)
        if isUser { hasUser = true }
        let seen = isUser ? internals(of: file) : []
        let records = collect(
            { context in
                _ = indexstore_unit_reader_dependencies_apply_f(unit, context) { context, dependency in
                    // 2 is a record.
                    guard indexstore_unit_dependency_get_kind(dependency) == 2 else { return true }
                    return append(text(indexstore_unit_dependency_get_name(dependency)), to: context)
                }
            }, of: String.self)
        for occurrence in records.flatMap({ occurrences(in: $0, of: index) }) {
            if !occurrence.requirements.isEmpty { uses.witnesses.insert(occurrence.usr) }
            guard isUser else { continue }
            if occurrence.isReference { uses.files[occurrence.usr, default: []].insert(seen) }
            // A definition that is for a requirement uses it.
            for requirement in occurrence.requirements { uses.files[requirement, default: []].insert(seen) }
        }
    }
    guard hasUser else { fail("The index at \(store) has no file of \(users.joined(separator: ", ")).") }
}

// MARK: Articles

/// The words of the articles.
struct Articles {
    private let text: String
    private let words: Set<Substring>

    init(_ paths: [String]) {
        text = paths.map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }.joined()
        words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }

    /// Whether an article has the symbol's name and its labels. An initializer stands there after the name of its type.
    func name(_ symbol: PublicSymbol) -> Bool {
        let (name, labels) = symbol.words
        guard labels.allSatisfy(words.contains) else { return false }
        guard name == "init", let type = symbol.symbol.pathComponents.dropLast().last else {
            return words.contains(name)
        }
        return ["(", "/init("].contains { text.contains("\(type)\($0)") }
    }
}

// MARK: The program

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(2)
}

func values(_ option: String) -> [String] {
    guard let place = CommandLine.arguments.firstIndex(of: option) else { return [] }
    return Array(CommandLine.arguments[(place + 1)...].prefix { !$0.hasPrefix("--") })
}

guard let graphs = values("--graphs").first else { fail("Say where the symbol graphs are.") }
let symbols = try publicSymbols(in: graphs)
guard !symbols.isEmpty else { fail("There are no symbol graphs in \(graphs).") }
guard !values("--indexes").isEmpty, !values("--users").isEmpty else {
    fail("Say where the indexes are, and the folders with the examples and the tests.")
}
var uses = Uses()
let users = values("--users").map { URL(filePath: $0).path(percentEncoded: false) }
for store in values("--indexes") { readUses(of: store, by: users, into: &uses) }
let articles = Articles(values("--articles"))

let children = Dictionary(grouping: symbols.filter { $0.value.parent != nil }, by: { $0.value.parent ?? "" })
var used: Set<String> = []
var rest = symbols.filter { usr, symbol in uses.hasUse(of: usr, in: symbol.module) || articles.name(symbol) }.map(\.key)
while let usr = rest.popLast() {
    guard let symbol = symbols[usr], used.insert(usr).inserted else { continue }
    rest += [symbol.parent].compactMap(\.self)
    rest += (symbol.symbol.declarationFragments ?? []).compactMap(\.preciseIdentifier)
    rest += (children[usr] ?? []).filter { $0.value.comesWithItsParent || uses.witnesses.contains($0.key) }.map(\.key)
}
let unused = symbols.filter { !used.contains($0.key) }
    .map { "\($0.value.module).\($0.value.path)" }.sorted()
print("\(symbols.count) public symbols, \(unused.count) without a use outside.")
guard !unused.isEmpty else { exit(0) }
for symbol in unused { print("error: \(symbol) is public, and nothing outside uses it.") }
print(
    """
    Make each of them internal, or `package` if another module needs it. If an app, a provider, a repository, a store or a test \
    outside needs it, show that: in an article, in an example, or in a test of its behavior without `@testable`.
    """)
exit(1)
