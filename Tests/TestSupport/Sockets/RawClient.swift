import Dispatch
import Foundation
package import LoopbackHTTP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A TCP client that sends exactly the bytes it is told to, and knows no HTTP.
///
/// The blocking calls run on a queue of their own.
package final class RawClient: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw-client")

    package struct ConnectError: Error { package let code: Int32 }

    /// - Parameters:
    ///   - receiveBuffer: The size asked for the receive buffer, small to make the server wait.
    ///   - user: The user whose socket it is; see ``OtherUser``. That of the process unless given.
    package init(
        at address: LoopbackAddress = .ipv4, port: UInt16, receiveBuffer: Int32? = nil, user: OtherUser? = nil
    ) throws {
        descriptor = OtherUser.run(as: user) { BlockingSocket.open(address.family) }
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        let connected = address.withSocketAddress(port: port) { connect(descriptor, $0, $1) }
        // `deinit` runs after this too, and closes: a second close would close a descriptor that got the number meanwhile.
        guard connected == 0 else { throw ConnectError(code: errno) }
    }

    /// Sends text on a new connection, and returns everything until the server ends it.
    package static func exchange(
        _ text: String, at address: LoopbackAddress = .ipv4, port: UInt16
    ) async throws -> String {
        let client = try RawClient(at: address, port: port)
        await client.send(text)
        return await client.receiveAll()
    }

    deinit { close(descriptor) }

    /// Sends everything; false when the server cut it short.
    @discardableResult package func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// - Parameter size: How many bytes at most each system call sends.
    @discardableResult package func send(_ bytes: [UInt8], inPiecesOf size: Int = .max) async -> Bool {
        await onQueue { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                #if canImport(Darwin)
                    let flags: Int32 = 0
                #else
                    let flags = Int32(MSG_NOSIGNAL)
                #endif
                let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, min($0.count, size), flags) }
                guard count > 0 else { return false }
                rest.removeFirst(count)
            }
            return true
        }
    }

    package func endOutput() async { await onQueue { _ = shutdown($0, Int32(SHUT_WR)) } }

    /// Closes so that the server sees a reset instead of an orderly end.
    package func reset() async {
        await onQueue { descriptor in
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            // The number stays taken until `deinit`; connecting to nowhere is what drops the connection.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        }
    }

    /// Reads until the server ends the connection.
    package func receiveAll() async -> String { String(decoding: await receiveAllBytes(), as: UTF8.self) }

    package func receiveAllBytes() async -> [UInt8] { Array(await receive(until: nil, times: 1)) }

    /// Reads until the answer contains the text this often, or the server ends the connection.
    package func receive(until text: String, times: Int = 1) async -> String {
        String(decoding: await receive(until: Data(text.utf8), times: times), as: UTF8.self)
    }

    private func receive(until text: Data?, times: Int) async -> Data {
        await onQueue { descriptor in
            var (received, searched, missing) = (Data(), 0, times)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return received }
                received += buffer[..<count]
                guard let text else { continue }
                while let found = received.range(of: text, in: searched..<received.count) {
                    (searched, missing) = (found.upperBound, missing - 1)
                    guard missing > 0 else { return received }
                }
                // What was searched is not searched again: an answer can be long, and come in small pieces.
                searched = max(searched, received.count - text.count + 1)
            }
        }
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable (Int32) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: body(descriptor)) }
        }
    }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(descriptor, bytes, count, flags)
}
