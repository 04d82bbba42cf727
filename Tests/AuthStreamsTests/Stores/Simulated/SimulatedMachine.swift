import Foundation

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call, with what it is asked for.
enum FileCall: Hashable {
    case open(String, in: Int32, flags: Int32, mode: mode_t)
    case close(Int32)
    case read(Int32, count: Int)
    case write([UInt8], to: Int32)
    case flush(Int32)
    case order(Int32)
    case lock(Int32, operation: Int32)
    case status(Int32)
    case statusOfName(String, in: Int32)
    case makeFolder(String, in: Int32, mode: mode_t)
    case link(String, to: String, in: Int32)
    case unlink(String, in: Int32)
    /// A listing takes time: names that come or go meanwhile may be in it or not.
    case beginListing(Int32)
    case endListing(Int32)
    case random
}

/// What a system call returns.
enum FileReply: Hashable {
    /// A number, or an error's number below zero.
    case result(Int32)
    case bytes([UInt8])
    case facts(isFolder: Bool, mode: mode_t, node: Int, links: Int, size: Int)
    case names([String])
    case number(UInt64)

    var result: Int32 { if case .result(let result) = self { result } else { 0 } }
}

/// A disk, and the processes that use it: what they have open, which files they have locked, what they are listing.
struct SimulatedMachine: Hashable {
    struct Process: Hashable {
        struct OpenFile: Hashable {
            let node: Int
            var position = 0
        }
        struct Listing: Hashable {
            let folder: Int
            /// The names that are in the list.
            var names: Set<String>
            /// The names that may be in it.
            var changed: Set<String> = []

            /// A hidden name is in the list when every other one is, so that there are fewer lists.
            var choices: [[String]] {
                let hidden = changed.filter { $0.hasPrefix(".") }.sorted()
                return changed.subtracting(hidden).sorted().map { [$0] } + (hidden.isEmpty ? [] : [hidden])
            }
        }
        var files: [Int32: OpenFile] = [:]
        var listing: Listing?
        let id: Int
        /// How many files it made and numbers it drew.
        var made = 0
        var number: Int { id * 1_000_000 + made }

        init(_ id: Int) { self.id = id }
    }
    struct Owner: Hashable {
        let process: Int
        let file: Int32
    }
    enum ListingKind {
        /// A list of the names of one moment.
        case atOnce
        /// Names that come meanwhile may be in it, too.
        case late
        /// Names that come or go meanwhile may be in it or not.
        case any
    }
    var listing = ListingKind.late
    /// How many bytes are read or written at once.
    static let transferSize = 6
    private(set) var disk: SimulatedDisk
    private(set) var processes: [Process]
    private var locks: [Int: Owner] = [:]

    init(_ disk: SimulatedDisk, processes: Int = 1) {
        self.disk = disk
        self.processes = (1...processes).map { Process($0) }
    }

    /// Ends a process between two of its calls.
    mutating func kill(_ process: Int) {
        processes[process] = Process(process + 1)
        locks = locks.filter { $0.value.process != process }
        tidyUp()
    }

    /// Whether a lock that is asked for is another's, so that the caller has to wait.
    func mustWait(_ call: FileCall, by process: Int) -> Bool {
        guard case .lock(let file, LOCK_EX) = call, let node = processes[process].files[file]?.node else {
            return false
        }
        return locks[node].map { $0 != Owner(process: process, file: file) } ?? false
    }

    /// How many answers a call can have.
    func answers(to call: FileCall, by process: Int) -> Int {
        guard case .endListing = call else { return 1 }
        return 1 << (processes[process].listing?.choices.count ?? 0)
    }

    /// Carries out a call.
    ///
    /// - Parameter answer: Which of the possible answers to give.
    mutating func perform(_ call: FileCall, by process: Int, answer: Int = 0) -> FileReply {
        do throws(SimulatedDisk.Failure) {
            return try reply(to: call, process, answer)
        } catch {
            return .result(-error.code)
        }
    }

    private mutating func reply(
        to call: FileCall, _ process: Int, _ answer: Int
    ) throws(SimulatedDisk.Failure) -> FileReply {
        switch call {
        case .open(let name, let folder, let flags, let mode): return try open(name, folder, flags, mode, process)
        case .close(let file):
            if let node = processes[process].files.removeValue(forKey: file)?.node, locks[node]?.process == process {
                if locks[node]?.file == file { locks[node] = nil }
            }
            tidyUp()
        case .read(let file, let count):
            guard let open = processes[process].files[file], let node = disk.nodes[open.node] else {
                throw .init(code: EBADF)
            }
            let bytes = Array(node.bytes.dropFirst(open.position).prefix(min(count, Self.transferSize)))
            processes[process].files[file]?.position += bytes.count
            return .bytes(bytes)
        case .write(let bytes, let file):
            let taken = bytes.prefix(Self.transferSize)
            disk.append(taken, to: try node(of: file, process))
            return .result(Int32(taken.count))
        case .flush(let file): disk.flush(try node(of: file, process))
        case .order(let file): disk.order(try node(of: file, process))
        case .lock(let file, let operation): try lock(file, operation, process)
        case .status(let file): return facts(of: try node(of: file, process))
        case .statusOfName(let name, let folder):
            guard let node = disk.node(at: try place(of: name, folder, process)) else { throw .init(code: ENOENT) }
            return facts(of: node)
        case .makeFolder(let name, let folder, let mode):
            let place = try place(of: name, folder, process)
            guard disk.node(at: place) == nil else { throw .init(code: EEXIST) }
            note(place)
            disk.add(.init(isFolder: true, mode: mode), as: newNumber(process), at: place)
        case .link(let name, let newName, let folder):
            guard let node = disk.node(at: try place(of: name, folder, process)) else { throw .init(code: ENOENT) }
            let place = try place(of: newName, folder, process)
            guard disk.node(at: place) == nil else { throw .init(code: EEXIST) }
            note(place)
            disk.set(place, to: node)
        case .unlink(let name, let folder):
            let place = try place(of: name, folder, process)
            guard let node = disk.node(at: place) else { throw .init(code: ENOENT) }
            guard disk.nodes[node]?.isFolder == false else { throw .init(code: EISDIR) }
            note(place)
            disk.set(place, to: nil)
            tidyUp()
        case .beginListing(let file):
            let folder = try node(of: file, process)
            processes[process].listing = .init(folder: folder, names: Set((disk.nodes[folder]?.names ?? [:]).keys))
        case .endListing:
            guard let listing = processes[process].listing else { throw .init(code: EBADF) }
            processes[process].listing = nil
            let chosen = listing.choices.enumerated().filter { answer >> $0.offset & 1 == 1 }
            return .names(listing.names.sorted() + chosen.flatMap(\.element))
        case .random:
            return .number(UInt64(newNumber(process)))
        }
        return .result(0)
    }

    private mutating func open(
        _ name: String, _ folder: Int32, _ flags: Int32, _ mode: mode_t, _ process: Int
    ) throws(SimulatedDisk.Failure) -> FileReply {
        let place = try place(of: name, folder, process)
        let node: Int
        if let present = disk.node(at: place) {
            guard flags & O_EXCL == 0 else { throw .init(code: EEXIST) }
            guard flags & O_DIRECTORY == 0 || disk.nodes[present]?.isFolder == true else { throw .init(code: ENOTDIR) }
            node = present
        } else {
            guard flags & O_CREAT != 0 else { throw .init(code: ENOENT) }
            node = newNumber(process)
            note(place)
            disk.add(.init(isFolder: false, mode: mode), as: node, at: place)
        }
        let file = (3...).first { processes[process].files[$0] == nil } ?? 0
        processes[process].files[file] = .init(node: node)
        return .result(file)
    }

    private mutating func lock(_ file: Int32, _ operation: Int32, _ process: Int) throws(SimulatedDisk.Failure) {
        let owner = Owner(process: process, file: file)
        let node = try node(of: file, process)
        if operation == LOCK_UN {
            if locks[node] == owner { locks[node] = nil }
        } else {
            guard locks[node] == nil || locks[node] == owner else { throw .init(code: EWOULDBLOCK) }
            locks[node] = owner
        }
    }

    /// Which process made the file that has a name in an open folder.
    func maker(of name: String, inOpen folder: Int32, _ process: Int) -> Int? {
        guard let place = try? place(of: name, folder, process) else { return nil }
        return disk.node(at: place).map { $0 / 1_000_000 - 1 }
    }

    private func node(of file: Int32, _ process: Int) throws(SimulatedDisk.Failure) -> Int {
        guard let node = processes[process].files[file]?.node else { throw .init(code: EBADF) }
        return node
    }

    private func place(
        of name: String, _ folder: Int32, _ process: Int
    ) throws(SimulatedDisk.Failure) -> SimulatedDisk.Place {
        let from = folder == AT_FDCWD ? SimulatedDisk.root : try node(of: folder, process)
        return try disk.place(of: name, from: from).get()
    }

    private func facts(of node: Int) -> FileReply {
        let found = disk.nodes[node]
        return .facts(
            isFolder: found?.isFolder == true, mode: found?.mode ?? 0, node: node, links: disk.linkCount(of: node),
            size: found?.bytes.count ?? 0)
    }

    private mutating func newNumber(_ process: Int) -> Int {
        // Of its own for each process, so that it does not tell in which order processes asked.
        repeat { processes[process].made += 1 } while disk.nodes[processes[process].number] != nil
        return processes[process].number
    }

    /// Tells everyone who is listing the folder that a name comes or goes.
    private mutating func note(_ place: SimulatedDisk.Place) {
        for process in processes.indices where processes[process].listing?.folder == place.folder {
            if listing == .late, processes[process].listing?.names.contains(place.name) == true { continue }
            processes[process].listing?.names.remove(place.name)
            processes[process].listing?.changed.insert(place.name)
        }
    }

    private mutating func tidyUp() {
        disk.forgetAll(but: Set(processes.flatMap { $0.files.values.map(\.node) }))
    }
}

/// A file system whose calls something else answers.
struct SimulatedFileSystem: FileSystem {
    let perform: @Sendable (FileCall) -> FileReply

    func openFile(_ name: String, in folder: Int32, _ flags: Int32, mode: mode_t) -> Int32 {
        perform(.open(name, in: folder, flags: flags, mode: mode)).result
    }

    func closeFile(_ file: Int32) { _ = perform(.close(file)) }

    func readFile(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let reply = perform(.read(file, count: buffer.count))
        guard case .bytes(let bytes) = reply else { return Int(reply.result) }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func writeFile(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        Int(perform(.write(Array(bytes), to: file)).result)
    }

    func flush(_ file: Int32) -> Int32 { perform(.flush(file)).result }
    func order(_ file: Int32) -> Int32 { perform(.order(file)).result }
    func lockFile(_ file: Int32, _ operation: Int32) -> Int32 { perform(.lock(file, operation: operation)).result }

    func status(of file: Int32, _ status: inout stat) -> Int32 { fill(&status, from: perform(.status(file))) }

    func status(of name: String, in folder: Int32, _ status: inout stat) -> Int32 {
        fill(&status, from: perform(.statusOfName(name, in: folder)))
    }

    private func fill(_ status: inout stat, from reply: FileReply) -> Int32 {
        guard case .facts(let isFolder, let mode, let node, let links, let size) = reply else { return reply.result }
        status.st_mode = (isFolder ? S_IFDIR : S_IFREG) | mode
        status.st_uid = geteuid()
        status.st_ino = numericCast(node)
        status.st_nlink = numericCast(links)
        status.st_size = numericCast(size)
        return 0
    }

    // There are no links.
    func readLink(_ name: String, in folder: Int32, into target: inout String) -> Int32 { -EINVAL }

    func excludeFromBackups(_ path: String) {}

    func makeFolder(_ name: String, in folder: Int32, mode: mode_t) -> Int32 {
        perform(.makeFolder(name, in: folder, mode: mode)).result
    }

    func link(_ name: String, to newName: String, in folder: Int32) -> Int32 {
        perform(.link(name, to: newName, in: folder)).result
    }

    func unlink(_ name: String, in folder: Int32) -> Int32 { perform(.unlink(name, in: folder)).result }

    func list(_ folder: Int32, into names: inout [String]) -> Int32 {
        let beginning = perform(.beginListing(folder)).result
        guard beginning >= 0 else { return beginning }
        let reply = perform(.endListing(folder))
        guard case .names(let found) = reply else { return reply.result }
        names += found
        return 0
    }

    func random() -> UInt64 {
        guard case .number(let number) = perform(.random) else { return 0 }
        return number
    }
}
