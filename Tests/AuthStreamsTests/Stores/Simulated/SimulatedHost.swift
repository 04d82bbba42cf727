import Foundation

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A store that is alone on a simulated machine.
///
/// Unchecked: the store makes its system calls on the thread that called it, so one thread uses this.
final class SimulatedHost: @unchecked Sendable {
    static let folder = URL(filePath: "/state/store")

    private(set) var machine: SimulatedMachine
    /// Whether the disk refuses to remove versions of the record.
    var keepsVersions = false

    init(_ machine: SimulatedMachine) {
        self.machine = machine
    }

    func read() throws(AuthError) -> StoredRecord { try store.readBlocking(.session) }

    func write(_ data: Data?, replacing version: RecordVersion) throws(AuthError) -> RecordVersion? {
        try store.writeBlocking(data, for: .session, replacing: version)
    }

    private var store: FileSessionStore {
        FileSessionStore(
            folder: Self.folder,
            of: SimulatedFileSystem { [self] call in
                if keepsVersions, case .unlink(let name, _) = call, !name.hasPrefix(".") { return .result(-EIO) }
                return machine.perform(call, by: 0)
            })
    }
}
