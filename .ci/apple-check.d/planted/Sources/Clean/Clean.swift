// Nothing may be found here.
import Dispatch
import Foundation

#if AUTH_DARWIN
    import Darwin
#else
    import Glibc
    import Synchronization
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if AUTH_DARWIN
    public let lock = NSLock()
    public let flag = O_EVTONLY
    public let processID = getpid()
#else
    public let lock = Mutex(1)
#endif

#if os(macOS) || os(Linux)
    public func program() -> Process { Process() }
#endif

public func session() -> URLSession { URLSession(configuration: .ephemeral) }

public func immediate() {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.immediate {} }
}

public func sleep() async throws {
    try await Task.sleep(for: .seconds(1))
    _ = ContinuousClock.now
}

package let packageSecret = 1
