#if !AUTH_DARWIN
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    @Suite(.limitedParallelization) struct AuthHTTPRequestValidationTests {
        /// Method, name and value of a field, and what the explanation shows of the name.
        static let refused: [(AuthHTTPRequest.Method, String, String, String)] = [
            (.get, "x-app", "s3cr3t\r\nx-other: 1", "'x-app'"), (.post, "x-app", "s3cr3t\n", "'x-app'"),
            (.get, "x-app", "s3cr3t\r", "'x-app'"), (.get, "x-app", "s3cr3t\0", "'x-app'"),
            (.get, "x-app", "s3cr3t\u{7F}", "'x-app'"), (.get, "authorization", "Bearer s3cr3t\n", "'authorization'"),
            (.get, "x-app: s3cr3t\r\nx-other", "1", "'x-app'"), (.post, "x-app ", "s3cr3t", "'x-app'"),
            (.get, "x-äpp", "s3cr3t", "'x-'"), (.get, "", "s3cr3t", "empty"), (.get, "\r\nx-app", "s3cr3t", "empty"),
            (.init(rawValue: "GET / HTTP/1.1\r\nx-app: s3cr3t\r\n\r\nGET"), "x-app", "1", "method"),
            (.init(rawValue: ""), "x-app", "s3cr3t", "method"),
        ]

        @Test func malformedHeadsAreRefusedAndNothingIsSent() async throws {
            let server = try RawServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
            let transport = URLSessionTransport.untimed()
            for (method, name, value, shown) in Self.refused {
                let request = AuthHTTPRequest(
                    method, server.url("/"),
                    headers: [.authorization: "Bearer s3cr3t"]
                        .merging([HeaderName(name): value]) { $1 })
                let error = await #expect(throws: AuthError.self) { try await transport.send(request) }
                #expect(error?.code == .misconfigured && error?.explanation.contains(shown) == true)
                #expect(error?.explanation.contains("s3cr3t") == false)
            }
            // The first request that arrives is the valid one, with every character that a name and a value may have.
            let valid = AuthHTTPRequest(.get, server.url("/"), headers: ["x-!#$%&'*+.^_`|~9": "a\tb ü~"])
            #expect(try await transport.send(valid).status == 200)
            #expect(server.bodies == [[""]])
        }
    }
#endif
