#if os(Linux)
    import AuthStreams
    import LoopbackHTTP
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Programs on a machine whose environment names a proxy, as in many companies.
    @Suite(.limitedParallelization) struct ProxyTests {
        /// Runs a body with a proxy, and returns what the proxy was asked.
        private func asked(_ body: ([String: String]) async throws -> Void) async throws -> [String] {
            let asked = Lock<[String]>([])
            let proxy = try LoopbackServer.start { request in
                asked.withLock { $0.append(request.target) }
                return .html("the proxy", status: 502)
            }
            defer { proxy.stop() }
            try await body(["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": ""])
            return asked.withLock { $0 }
        }

        /// Another developer's app, which does not know of the proxy.
        @Test func codesAndTokensForThisMachineDoNotGoToAProxy() async throws {
            let seen = try await asked { environment in
                try await withTemporaryFolder { folder in
                    try await withEmulator { emulator in
                        let app = try BuiltProgram(
                            "ProbeApp", [emulator.baseURL.absoluteString, folder.path(), "kakao", "approve", "server"],
                            environment: environment)
                        #expect(await app.status() != 0)
                        #expect(app.output.contains("misconfigured"))
                        #expect(emulator.journal.entries.isEmpty)
                    }
                }
            }
            #expect(seen.isEmpty)
        }

        @Test func theQuickstartWorksBehindAProxy() async throws {
            let seen = try await asked { environment in
                let quickstart = try BuiltProgram("quickstart", [], environment: environment)
                #expect(await quickstart.status() == 0)
            }
            #expect(seen.isEmpty)
        }
    }
#endif
