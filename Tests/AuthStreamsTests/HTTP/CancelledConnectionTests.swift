#if !AUTH_DARWIN
    import AuthStreamsTesting
    import Dispatch
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import AuthStreams

    @Suite(.limitedParallelization) struct CancelledConnectionTests {
        /// A file that is opened gets the number of a socket that was closed. If Dispatch still watches that socket, it reports
        /// nothing of the file.
        @Test func eventsOfOtherFilesAreReported() async throws {
            let server = try LoopbackServer.start { _ in .html("") }
            let transport = URLSessionTransport.untimed()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        for round in 0..<TestVolume.of(150, full: 1_000) {
                            let call = Task { try await transport.send(AuthHTTPRequest(.get, server.url("/"))) }
                            for _ in 0..<(round * 7 % 100) { await Task.yield() }
                            call.cancel()
                            _ = await call.result
                            for _ in 0..<10 { try await expectEvent() }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await wait(for: "the cancelled requests to end") { transport.openExchangeCount == 0 }
            for _ in 0..<10 { try await expectEvent() }
        }

        /// Opens a pipe, and waits for the event of a byte in it.
        private func expectEvent() async throws {
            let (pipe, isReadable, isClosed) = (Pipe(), Promise<Void>(), Promise<Void>())
            let source = EventSource(
                DispatchSource.makeReadSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor),
                onEvent: { isReadable.resolve(()) }, onCancel: { isClosed.resolve(()) })
            try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
            try await wait(for: "the byte in the pipe to be reported") { isReadable.current != nil }
            source.cancel()
            try await wait(for: "the event source of the pipe to end") { isClosed.current != nil }
            try pipe.fileHandleForReading.close()
            try pipe.fileHandleForWriting.close()
        }
    }
#endif
