import AuthStreams
import Foundation
import TestSupport
import Testing

/// The server's no, in its own words (RFC 9457) and without any.
@Suite struct ServerProblemTests {
    /// The codes that end a session.
    static let definite: Set<AuthError.Code> = [.userNotFound, .userDisabled, .sessionExpired]

    static let types: [(String, AuthError.Code)] = [
        ("invalid-credential", .invalidCredential), ("nonce-mismatch", .nonceMismatch),
        ("unsupported-provider", .unsupportedProvider), ("second-factor-required", .secondFactorRequired),
        ("account-exists", .accountExists), ("credential-in-use", .credentialInUse), ("access-denied", .accessDenied),
        ("requires-recent-sign-in", .requiresRecentSignIn), ("invalid-access-token", .invalidCredential),
        ("user-not-found", .userNotFound), ("user-disabled", .userDisabled), ("session-expired", .sessionExpired),
        ("refresh-token-reused", .sessionExpired), ("session-revoked", .sessionExpired),
        ("revoked-at-provider", .sessionExpired), ("invalid-request", .misconfigured), ("rate-limited", .rateLimited),
        ("provider-unavailable", .server),
    ]

    @Test(arguments: types) func aTypeMeansTheSameWhateverTheStatus(type: String, code: AuthError.Code) async throws {
        for status in [400, 401, 403, 404, 409, 410, 418, 422] {
            for operation in [ServerOperation.signIn, .refresh, .delete] {
                let error = try await operation.error(after: .problem("https://e.example/p/\(type)", status: status))
                #expect(error?.code == code)
                #expect(error?.serverCode == type)
            }
        }
    }

    @Test(arguments: [
        "https://api.example.com/problems/user-disabled", "https://api.example.com/problems/user-disabled/",
        "https://api.example.com/problems#user-disabled", "https://api.example.com/problems/user-disabled?lang=en",
        "urn:example:problem:user-disabled", "tag:example.com,2026:user-disabled", "/problems/user-disabled",
        "#user-disabled", "user-disabled",
    ])
    func theLastPartOfATypeIsItsName(type: String) async throws {
        let error = try await ServerOperation.refresh.error(after: .problem(type, status: 403))
        #expect(error?.code == .userDisabled)
        #expect(error?.serverCode == "user-disabled")
    }

    @Test func problemsOfTheServersOwnAreConfiguration() async throws {
        var contract = ServerContract()
        contract.problems = ["account-locked": .userDisabled, "access-denied": .secondFactorRequired]
        let locked = try await ServerOperation.refresh.error(
            after: .problem("/p/account-locked", status: 423), contract)
        #expect(locked?.code == .userDisabled)
        let own = try await ServerOperation.signIn.error(after: .problem("/p/access-denied", status: 403), contract)
        #expect(own?.code == .secondFactorRequired)
        // A failing server cannot end a session, by any table.
        let failing = try await ServerOperation.refresh.error(
            after: .problem("/p/account-locked", status: 500), contract)
        #expect(failing?.code == .server)
    }

    // MARK: By status

    static let statuses: [(ServerOperation, Int, AuthError.Code)] = [
        (.signIn, 400, .misconfigured), (.signIn, 401, .invalidCredential), (.signIn, 403, .accessDenied),
        (.signIn, 404, .misconfigured), (.signIn, 409, .accountExists), (.signIn, 410, .invalidResponse),
        (.signIn, 418, .invalidResponse), (.signIn, 422, .misconfigured), (.signIn, 429, .rateLimited),
        (.signIn, 500, .server), (.signIn, 503, .server),
        (.refresh, 400, .misconfigured), (.refresh, 401, .invalidResponse), (.refresh, 403, .accessDenied),
        (.refresh, 404, .misconfigured), (.refresh, 409, .invalidResponse), (.refresh, 410, .invalidResponse),
        (.refresh, 418, .invalidResponse), (.refresh, 429, .rateLimited), (.refresh, 500, .server),
        (.adopt, 401, .invalidResponse), (.adopt, 410, .invalidResponse),
        (.signOut, 400, .misconfigured), (.signOut, 403, .accessDenied), (.signOut, 429, .rateLimited),
        (.signOut, 502, .server),
        (.delete, 401, .invalidCredential), (.delete, 403, .accessDenied), (.delete, 404, .misconfigured),
        (.delete, 410, .invalidResponse), (.delete, 429, .rateLimited), (.delete, 504, .server),
    ]

    @Test(arguments: statuses, [nil, "", "about:blank", "https://e.example/p/unheard-of", "/"])
    func withoutATypeThatIsKnownTheStatusDecides(
        row: (operation: ServerOperation, status: Int, code: AuthError.Code), type: String?
    ) async throws {
        let error = try await row.operation.error(after: .problem(type, status: row.status))
        // With a type of its own the server has answered, so that nothing stands between.
        let isOwn = type?.hasPrefix("https") == true && row.code == .invalidResponse
        #expect(error?.code == (isOwn ? .refused : row.code))
        #expect(error?.serverCode == (type?.hasPrefix("https") == true ? "unheard-of" : nil))
    }

    @Test(arguments: [401, 404, 410]) func aSessionThatIsOverAlreadyIsSignedOut(status: Int) async throws {
        for type in ["session-expired", "session-revoked", "user-not-found", "user-disabled"] {
            #expect(try await ServerOperation.signOut.error(after: .problem("/p/\(type)", status: status)) == nil)
        }
    }

    /// The access token is over, and the refresh token lives on: it has to get there.
    @Test func aSignOutIsRepeatedOnceWithTheRefreshTokenAlone() async throws {
        let refused = AuthHTTPResponse.problem("/p/invalid-access-token", status: 401)
        let done = AnsweringTransport([refused, AuthHTTPResponse(status: 204)])
        try await ServerFixture.repository(done).signOut(ServerFixture.session)
        #expect(done.requests.map { $0.headers[.authorization] } == ["Bearer old+access", nil])
        #expect(done.requests.map(\.json) == Array(repeating: ["refreshToken": "old+refresh"], count: 2))
        let never = AnsweringTransport([refused, refused])
        let error = try await serverFailure { () throws(AuthError) in
            try await ServerFixture.repository(never).signOut(ServerFixture.session)
        }
        #expect(error.code == .invalidCredential)
        // Where there was nothing but the access token, nothing is left.
        var session = ServerFixture.session
        session.refreshToken = nil
        let alone = AnsweringTransport([refused])
        try await ServerFixture.repository(alone).signOut(session)
        #expect(alone.requests.count == 1)
    }

    /// A path that does not exist, or a gateway that knows no users: the session continues at the server.
    @Test(arguments: [(401, AuthError.Code.invalidCredential), (404, .misconfigured), (410, .invalidResponse)])
    func aStatusAloneIsNoSignOut(status: Int, code: AuthError.Code) async throws {
        for type in [nil, "about:blank", "/p/unheard-of"] {
            let error = try await ServerOperation.signOut.error(after: .problem(type, status: status))
            #expect(error?.code == (type == "/p/unheard-of" && status == 410 ? .refused : code))
        }
        let failing = try await ServerOperation.signOut.error(after: .problem("/p/session-expired", status: 503))
        #expect(failing?.code == .server)
        let other = try await ServerOperation.signOut.error(after: .problem("/p/access-denied", status: 403))
        #expect(other?.code == .accessDenied)
    }

    @Test(arguments: [429, 503]) func theServerSaysHowLongToWait(status: Int) async throws {
        for operation in ServerOperation.allCases {
            let seconds = AuthHTTPResponse(status: status, headers: [.retryAfter: "7"])
            #expect(try await operation.error(after: seconds)?.retryAfter == .seconds(7))
            let date = AuthHTTPResponse.problem(
                "about:blank", status: status,
                headers: [
                    .retryAfter: "Sun, 06 Nov 1994 08:50:37 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT",
                ])
            let error = try await operation.error(after: date)
            #expect(error?.retryAfter == .seconds(60))
            #expect(error?.isRetryable == true)
        }
    }

    /// What stands in between may ask for years.
    @Test(arguments: [429, 503]) func aPageAsksForFiveMinutesAtMost(status: Int) async throws {
        for (value, seconds) in [("86400", 300), ("7", 7)] {
            var page = AuthHTTPResponse.page(status: status)
            page.headers[.retryAfter] = value
            for operation in ServerOperation.allCases {
                #expect(try await operation.error(after: page)?.retryAfter == .seconds(seconds))
            }
        }
    }

    // MARK: What ends a session

    /// What is not the server's own word, with every status there is.
    static let strangers: [(String, @Sendable (Int) -> AuthHTTPResponse)] = [
        ("a page", { .page(status: $0) }), ("nothing", { AuthHTTPResponse(status: $0) }),
        ("JSON of another form", { .json(#"{"error":"invalid_grant"}"#, status: $0) }),
        ("JSON that has a type but is no problem", { .json(#"{"type":"user-disabled"}"#, status: $0) }),
        (
            "a page that claims to be a problem",
            { .json("<html>", status: $0, headers: [.contentType: "application/problem+json"]) }
        ),
        (
            "a list that claims to be a problem",
            { .json(#"["user-disabled"]"#, status: $0, headers: [.contentType: "application/problem+json"]) }
        ),
    ]

    @Test(arguments: strangers.indices, ServerOperation.allCases)
    func onlyTheServersOwnWordEndsASession(index: Int, operation: ServerOperation) async throws {
        for status in Array(300...599) + [199, 600, 999] {
            let error = try await operation.error(after: Self.strangers[index].1(status))
            if let error { #expect(!Self.definite.contains(error.code), "\(status)") }
        }
    }

    @Test(arguments: [
        "user-not-found", "user-disabled", "session-expired", "refresh-token-reused", "session-revoked",
        "revoked-at-provider",
    ])
    func aServerThatFailsIsNotBelieved(type: String) async throws {
        for status in [302, 308, 429, 500, 502, 503, 599] {
            let error = try #require(
                try await ServerOperation.refresh.error(after: .problem("/p/\(type)", status: status)))
            #expect(!Self.definite.contains(error.code), "\(status)")
        }
    }

    /// A status that a proxy may send as well, with or without a known type of other meaning.
    @Test func aStatusThatSaysNothingEndsNoSession() async throws {
        for status in 400..<500 {
            for type in [nil, "", "about:blank", "/p/unheard-of"] {
                for operation in [ServerOperation.refresh, .adopt, .delete] {
                    let error = try #require(try await operation.error(after: .problem(type, status: status)))
                    #expect(!Self.definite.contains(error.code), "\(status)")
                }
            }
        }
    }

    @Test(arguments: [ServerOperation.signIn, .refresh, .delete])
    func aProxysPageIsNotTheServersNo(operation: ServerOperation) async throws {
        for status in [401, 403, 407, 410, 511] {
            let error = try await operation.error(after: .page(status: status))
            #expect(error?.code == (status == 511 ? .server : .invalidResponse))
            #expect(error?.serverCode == nil)
        }
    }

    // MARK: What is repeated

    /// A server that answers with what it was sent, wherever an answer has room for it.
    @Test(
        arguments: ServerOperation.allCases,
        TestVolume.of([200, 401, 500], full: [200, 302, 400, 401, 403, 409, 429, 500]))
    func noErrorRepeatsASecret(operation: ServerOperation, status: Int) async throws {
        for secret in ServerFixture.secrets + ["abcdefabcdefabcdefabcdefabcdefabcdef", "a0b1c2d3"] {
            let bodies = [
                #"{"type":"\#(secret)","title":"\#(secret)","detail":"\#(secret)","instance":"/\#(secret)"}"#,
                #"{"type":"https://e.example/p/\#(secret)","title":"No.","\#(secret)":1}"#,
                #"{"type":"https://e.example/p/user-disabled","detail":"\#(secret)","code":"\#(secret)"}"#,
                #"{"accessToken":{"\#(secret)":"\#(secret)"},"user":{"id":["\#(secret)"]}}"#, secret,
            ]
            for body in bodies {
                let answer = AuthHTTPResponse.json(
                    body, status: status,
                    headers: [
                        .contentType: "application/problem+json", "location": "https://e.example/?t=\(secret)",
                    ])
                guard let error = try await operation.error(after: answer) else { continue }
                let printed = everythingPrinted(of: error)
                #expect(!printed.contains(secret))
            }
        }
    }
}
