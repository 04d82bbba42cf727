#if os(Linux)
    import AuthStreams
    import Foundation

    /// A connection to a browser by the DevTools protocol. Messages are JSON, and a NUL byte ends each.
    final class DevTools: Sendable {
        enum Failure: Error {
            /// The browser has ended.
            case closed
            /// The browser answered with an error.
            case refused(method: String, message: String)
        }

        private struct State {
            var isOpen = true
            var lastCall: Int64 = 0
            var calls: [Int64: Promise<AuthJSON?>] = [:]
            var errors: [(text: String, url: String?)] = []
        }
        private let state = Lock(State())
        private let socket: Int32

        /// Takes over a socket, and closes it when the browser has ended.
        ///
        /// - Parameter onEnd: Called then, on a thread that may block.
        init(socket: Int32, onEnd: @escaping @Sendable () -> Void) {
            self.socket = socket
            Thread.detachNewThread {
                self.readAnswers()
                onEnd()
            }
        }

        /// Calls a method and waits for its result.
        ///
        /// - Parameter session: The tab that is meant; the browser itself unless given.
        func call(
            _ method: String, _ parameters: [String: AuthJSON] = [:], in session: String? = nil
        ) async throws -> AuthJSON {
            let call = Promise<AuthJSON?>()
            try state.withLock { state in
                guard state.isOpen else { throw Failure.closed }
                state.lastCall += 1
                state.calls[state.lastCall] = call
                var message: [String: AuthJSON] = [
                    "id": .integer(state.lastCall), "method": .string(method), "params": .object(parameters),
                ]
                message["sessionId"] = session.map(AuthJSON.string)
                let bytes = try JSONEncoder().encode(message) + [0]
                let count = bytes.withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count == bytes.count else { throw Failure.closed }
            }
            guard let answer = await call.value() else { throw CancellationError() }
            guard let answer else { throw Failure.closed }
            guard let result = answer["result"] else {
                throw Failure.refused(method: method, message: answer["error"]?["message"]?.string ?? "")
            }
            return result
        }

        /// The errors that the browser has shown in its console, with the address that each is about.
        var errors: [(text: String, url: String?)] { state.withLock(\.errors) }

        private static func error(in event: AuthJSON) -> (text: String, url: String?)? {
            let parameters = event["params"]
            switch event["method"]?.string {
            case "Log.entryAdded" where parameters?["entry"]?["level"] == "error":
                let entry = parameters?["entry"]
                return (entry?["text"]?.string ?? "", entry?["url"]?.string)
            case "Runtime.exceptionThrown":
                return (parameters?["exceptionDetails"]?["exception"]?["description"]?.string ?? "an exception", nil)
            case "Runtime.consoleAPICalled" where parameters?["type"] == "error": return ("console.error", nil)
            default: return nil
            }
        }

        private func readAnswers() {
            var unread = Data()
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(socket, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                unread.append(contentsOf: buffer[..<count])
                var messages = unread.split(separator: 0, omittingEmptySubsequences: false)
                unread = messages.removeLast()
                for message in messages {
                    // Events have no identifier.
                    guard let answer = try? JSONDecoder().decode(AuthJSON.self, from: message) else { continue }
                    guard let id = answer["id"]?.lenientInteger else {
                        if let error = Self.error(in: answer) { state.withLock { $0.errors.append(error) } }
                        continue
                    }
                    state.withLock { $0.calls.removeValue(forKey: id) }?.resolve(answer)
                }
            }
            let open = state.withLock { state in
                state.isOpen = false
                close(socket)
                defer { state.calls = [:] }
                return state.calls.values
            }
            for call in open { call.resolve(nil) }
        }
    }
#endif
