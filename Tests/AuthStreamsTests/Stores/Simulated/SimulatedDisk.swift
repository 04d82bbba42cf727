import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files and folders in memory, as the system shows them and as far as they are on the disk.
struct SimulatedDisk: Hashable {
    struct Node: Hashable {
        let isFolder: Bool
        let mode: mode_t
        /// A file's bytes, and whether they are on the disk.
        var bytes: [UInt8] = []
        var isFlushed = false
        /// The names that the file had when its bytes were ordered; `nil` if they are not.
        var namesBeforeOrder: Set<Place>?
        /// A folder's names, and what each name that is not flushed may stand for after a power cut: anything that it stood
        /// for since the last flush.
        var names: [String: Int] = [:]
        var unflushed: [String: Set<Int?>] = [:]
    }
    static let root = 0

    private(set) var nodes: [Int: Node]

    /// Makes a disk with empty folders, which are flushed.
    init(folders: [String]) {
        nodes = [Self.root: Node(isFolder: true, mode: 0o700)]
        for (number, path) in folders.enumerated() {
            guard case .success(let place) = place(of: path, from: Self.root) else { continue }
            add(Node(isFolder: true, mode: 0o700), as: number + 1, at: place)
            flush(place.folder)
        }
    }

    /// Where a name stands or would stand.
    struct Place: Hashable {
        let folder: Int
        let name: String
    }

    /// A number of the system for what went wrong.
    struct Failure: Error {
        let code: Int32
    }

    func place(of path: String, from folder: Int) -> Result<Place, Failure> {
        var folder = path.hasPrefix("/") ? Self.root : folder
        let names = path.split(separator: "/")
        for name in names.dropLast() {
            guard let next = nodes[folder]?.names[String(name)] else { return .failure(Failure(code: ENOENT)) }
            guard nodes[next]?.isFolder == true else { return .failure(Failure(code: ENOTDIR)) }
            folder = next
        }
        return .success(Place(folder: folder, name: names.last.map(String.init) ?? "."))
    }

    /// The file or folder that stands there.
    func node(at place: Place) -> Int? { place.name == "." ? place.folder : nodes[place.folder]?.names[place.name] }

    /// Where a folder is, for instance `/state/store`.
    func path(of folder: Int) -> String? {
        if folder == Self.root { return "" }
        for (number, node) in nodes {
            guard let name = node.names.first(where: { $0.value == folder })?.key else { continue }
            return path(of: number).map { "\($0)/\(name)" }
        }
        return nil
    }

    func linkCount(of node: Int) -> Int {
        nodes.values.reduce(0) { count, folder in count + folder.names.values.count { $0 == node } }
    }

    mutating func add(_ node: Node, as number: Int, at place: Place) {
        nodes[number] = node
        set(place, to: number)
    }

    /// Lets a name stand for a file or folder, or for nothing.
    mutating func set(_ place: Place, to node: Int?) {
        let present = nodes[place.folder]?.names[place.name]
        nodes[place.folder]?.unflushed[place.name, default: [present]].insert(node)
        nodes[place.folder]?.names[place.name] = node
    }

    mutating func append(_ bytes: some Sequence<UInt8>, to node: Int) {
        nodes[node]?.bytes += bytes
        nodes[node]?.isFlushed = false
        nodes[node]?.namesBeforeOrder = nil
    }

    mutating func replaceBytes(of node: Int, with bytes: [UInt8]) { nodes[node]?.bytes = bytes }

    mutating func flush(_ node: Int) {
        nodes[node]?.isFlushed = true
        nodes[node]?.unflushed = [:]
        for (number, ordered) in nodes where ordered.namesBeforeOrder != nil { nodes[number]?.isFlushed = true }
    }

    /// Lets a file's bytes reach the disk before any name that the file gets later.
    mutating func order(_ node: Int) {
        let names = names(of: node)
        nodes[node]?.namesBeforeOrder = names
    }

    /// Every name that stands for a file.
    func names(of node: Int) -> Set<Place> {
        Set(
            nodes.flatMap { folder, entries in
                entries.names.filter { $0.value == node }.map { Place(folder: folder, name: $0.key) }
            })
    }

    /// Forgets files that nothing refers to any more.
    mutating func forgetAll(but open: Set<Int>) {
        var kept = open.union([Self.root])
        for node in nodes.values {
            kept.formUnion(node.names.values)
            for options in node.unflushed.values { kept.formUnion(options.compactMap(\.self)) }
        }
        if kept.count < nodes.count { nodes = nodes.filter { kept.contains($0.key) } }
    }

    /// Everything that is there: folders by their paths, files with their bytes.
    var contents: [String: [UInt8]?] {
        var contents: [String: [UInt8]?] = [:]
        func visit(_ folder: Int, _ path: String) {
            for (name, number) in nodes[folder]?.names ?? [:] {
                guard let node = nodes[number] else { continue }
                contents["\(path)/\(name)"] = .some(node.isFolder ? nil : node.bytes)
                if node.isFolder { visit(number, "\(path)/\(name)") }
            }
        }
        visit(Self.root, "")
        return contents
    }
}
