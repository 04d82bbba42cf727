#if !AUTH_DARWIN
    import AuthStreamsTesting
    import LoopbackHTTP
    import Foundation
    import TestSupport
    import Testing

    @testable import AuthStreams

    /// What is not safe to repeat meets no connection that was used before, and arrives once.
    @Suite(.limitedParallelization) struct URLSessionTransportRepetitionTests {
        private static func answer(_ fields: String, version: String = "1.1", status: String = "200 OK") -> String {
            "HTTP/\(version) \(status)\r\nContent-Length: 2\r\n\(fields)\r\n\r\nok"
        }

        private func post(_ body: String, to server: RawServer) -> AuthHTTPRequest {
            AuthHTTPRequest(.post, server.url("/token"), body: Data(body.utf8))
        }

        @Test(arguments: [
            answer("Connection: close"), answer("connection: Close", version: "1.0"),
            answer("Connection: close\r\nWWW-Authenticate: Basic realm=\"x\"", status: "401 Unauthorized"),
        ])
        func aSessionIsUsedAgainButItsConnectionIsNot(answer: String) async throws {
            // The server keeps the connections open, although it says that it does not.
            let server = try RawServer { _ in answer }
            let transport = URLSessionTransport.untimed()
            for body in ["a", "b", "c"] {
                _ = try await transport.send(post(body, to: server))
                #expect(transport.sessionPool.count == 1)
            }
            #expect(server.bodies == [["a"], ["b"], ["c"]])
        }

        @Test(arguments: [
            answer("Connection: keep-alive"), answer("X-Nothing: said"), answer("Connection: close, keep-alive"),
            answer("Connection: close\r\nConnection: keep-alive", version: "1.0"),
            answer(#"WWW-Authenticate: Basic realm="x""#, status: "401 Unauthorized"),
        ])
        func aSessionThatMayHaveAConnectionIsNotUsedAgain(answer: String) async throws {
            let server = try RawServer { _ in answer }
            let transport = URLSessionTransport.untimed()
            for body in ["a", "b"] {
                _ = try await transport.send(post(body, to: server))
                #expect(transport.sessionPool.count == 0)
            }
            #expect(server.bodies == [["a"], ["b"]])
        }

        @Test func aRequestThatIsDroppedArrivesOnce() async throws {
            let drops = Lock(false)
            let server = try RawServer { _ in drops.withLock { $0 } ? nil : Self.answer("Connection: close") }
            let transport = URLSessionTransport.untimed()
            _ = try await transport.send(post("a", to: server))
            drops.withLock { $0 = true }
            await #expect(throws: AuthError.self) { try await transport.send(post("b", to: server)) }
            #expect(transport.sessionPool.count == 0)
            await server.allConnectionsEnded()
            #expect(server.bodies == [["a"], ["b"]])
        }

        /// Foundation reads a folded field as it was meant (RFC 9112 section 5.2), the library beneath it does not: the
        /// connection lives on, and the next request meets it.
        @Test func aRequestThatMeetsAUsedConnectionAllTheSameArrivesOnce() async throws {
            var (bodies, code): ([[String]], AuthError.Code?) = ([], nil)
            for _ in 0..<5 {
                let server = try RawServer { number in number == 0 ? Self.answer("Connection:\r\n close") : nil }
                var transport: URLSessionTransport? = URLSessionTransport.untimed()
                _ = try await transport?.send(post("a", to: server))
                code = nil
                do { _ = try await transport?.send(post("b", to: server)) } catch { code = error.code }
                transport = nil
                await server.allConnectionsEnded()
                bodies = server.bodies
                // libcurl does not use a connection again that has been idle for two minutes.
                if bodies != [["a"], ["b"]] { break }
            }
            #expect(bodies.flatMap(\.self) == ["a", "b"])
            #expect(bodies.first == ["a", "b"])
            #expect(code == .network)
        }

        @Test(arguments: [nil, Data()]) func whatHasNoBodyGetsASessionOfItsOwn(body: Data?) async throws {
            let server = try RawServer { _ in Self.answer("Connection: close") }
            let transport = URLSessionTransport.untimed()
            _ = try await transport.send(AuthHTTPRequest(.delete, server.url("/user"), body: body))
            #expect(transport.sessionPool.count == 0)
        }

        @Test func noMoreSessionsAreKeptThanTheLimit() async throws {
            let requests = SessionPool.limit + 2
            let arrived = Lock(0)
            let allArrived = Promise<Void>()
            let server = try LoopbackServer.start { _ in
                if arrived.withLock({
                    $0 += 1
                    return $0
                }) == requests {
                    allArrived.resolve(())
                }
                await allArrived.value()
                return .html("")
            }
            let transport = URLSessionTransport.untimed()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<requests {
                    group.addTask {
                        _ = try await transport.send(AuthHTTPRequest(.post, server.url("/"), body: Data("x".utf8)))
                    }
                }
                try await group.waitForAll()
            }
            #expect(transport.sessionPool.count == SessionPool.limit)
        }

        @Test(arguments: [200, 401]) func keptSessionsEndWithTheTransport(status: Int) async throws {
            let server = try RawServer { _ in
                Self.answer("Connection: close\r\nWWW-Authenticate: Basic realm=\"x\"", status: "\(status) Said")
            }
            var transport: URLSessionTransport? = URLSessionTransport.untimed()
            _ = try await transport?.send(AuthHTTPRequest(.post, server.url("/"), body: Data("x".utf8)))
            let session = try #require(transport?.sessionPool.take())
            transport?.sessionPool.put(session)
            transport = nil
            await session.delegate.invalidated.value()
            #expect(session.delegate.invalidated.current != nil)
        }
    }
#endif
