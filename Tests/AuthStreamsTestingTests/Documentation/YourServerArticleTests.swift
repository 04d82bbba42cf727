import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// The articles about your own server show what is spoken.
@Suite struct YourServerArticleTests {
    private static func article(_ name: String) throws -> MarkdownFile {
        try MarkdownFile("Sources/AuthStreams/AuthStreams.docc/\(name).md")
    }

    /// What is said in the form of another example, or of a part of it. The articles name that example and do not repeat it.
    private static let forms = [
        "link request": "sign-in request", "link answer": "sign-in answer",
        "re-authentication answer": "sign-in answer",
    ]

    /// Client and emulated server speak; what they say has the members and types that the articles show.
    @Test func theJSONOfTheArticlesIsWhatIsSpoken() async throws {
        let examples = try ["YourServer", "YourServerSteps", "YourServerPasskeys", "YourServerErrors"]
            .flatMap { try Self.article($0).blocks.filter { $0.language == "json" } }
        let spoken = try await conversation()
        #expect(examples.compactMap { $0.mark?.name }.sorted() == spoken.keys.filter { Self.forms[$0] == nil }.sorted())
        for example in examples {
            #expect(example.mark?.verb == "spoken")
            let shown = try JSONDecoder().decode(AuthJSON.self, from: Data(example.text.utf8))
            let said = try #require(spoken[example.mark?.name ?? ""])
            #expect(shown.shape == said.shape, "line \(example.line)")
        }
        for (name, form) in Self.forms {
            let (said, whole) = try (#require(spoken[name]?.object), #require(spoken[form]))
            #expect(!said.isEmpty)
            for (member, value) in said { #expect(value.shape == whole[member]?.shape, "\(member) of \(name)") }
        }
    }

    /// The table of problems: each type, from the emulated server with that status, means that code.
    @Test func theTableOfProblemsIsWhatIsMeant() async throws {
        let rows = try Self.article("YourServerErrors").rows
            .filter { $0.mark == .init(verb: "table", name: "problems") }
        #expect(rows.count == 27)
        try await withEmulator { emulator in
            let repository = ServerRepository.emulated(at: emulator.baseURL)
            for row in rows {
                emulator.inject(.error(row.name), at: .serverSignIn)
                let error = await failure(of: repository)
                #expect(error?.code.rawValue == row.code.first, "\(row.name)")
                #expect(error?.serverCode == row.name)
                #expect(emulator.journal.entries.last?.status.map(String.init) == row.cells[1])
            }
        }
    }

    private func failure(of repository: ServerRepository) async -> AuthError? {
        let credential = Credential(provider: .kakao, accessToken: Secret("token"))
        do throws(AuthError) { _ = try await repository.signIn(with: credential) } catch { return error }
        return nil
    }

    /// A person signs in with Kakao, the session is refreshed, ended, and asked for once more.
    private func conversation() async throws -> [String: AuthJSON] {
        try await withEmulator { emulator in
            let transport = ListeningTransport()
            let repository = ServerRepository.emulated(at: emulator.baseURL, transport: transport)
            let store = MemorySessionStore()
            let device = await EmulatedDevice(
                at: emulator.baseURL, backend: .server, store: store, transport: transport)
            let user = try await device.auth.signIn(with: .kakao).value.user
            let first = try #require(await transport.heard(at: "/auth/sign-in").last)
            let tokens = try #require(first.answer)
            let session = AuthSession(
                accessToken: Secret(tokens["accessToken"]?.string ?? ""),
                refreshToken: Secret(tokens["refreshToken"]?.string ?? ""), expiresAt: nil, user: user,
                provider: .kakao)
            let next = try await repository.refresh(session)
            try await repository.signOut(next)
            await #expect(throws: AuthError.self) { try await repository.refresh(next) }
            let changes = try await changes(over: transport, repository, emulator)
            let refreshes = await transport.heard(at: "/auth/refresh")
            let signOut = try #require(await transport.heard(at: "/auth/sign-out").last)
            return try [
                "sign-in request": #require(first.request), "sign-in answer": tokens,
                "refresh request": #require(refreshes.first?.request),
                "sign-out request": #require(signOut.request), "problem": #require(refreshes.last?.answer),
            ].merging(changes) { $1 }.merging(try await steps()) { $1 }.merging(try await passkeys()) { $1 }
        }
    }

    /// A person signs in by a code, with a wrong one first; a new person fills in a form; and a known one is shown a page.
    private func steps() async throws -> [String: AuthJSON] {
        var configuration = EmulatorConfiguration()
        configuration.server.signUpFields = [
            .init(id: "nickname", label: "별명"),
            .init(id: "terms", kind: .consent, url: URL(string: "https://example.com/terms")),
        ]
        return try await withEmulator(configuration) { emulator in
            let transport = ListeningTransport()
            let repository = ServerRepository.emulated(at: emulator.baseURL, transport: transport)
            let code = try await challenge { () throws(AuthError) in
                try await repository.signIn(with: .code(to: "minji@example.com"))
            }
            let sent = try #require(emulator.messages.last?.code)
            let next = try await challenge { () throws(AuthError) in
                try await repository.answer(
                    code, with: .code(sent == Secret("000000") ? Secret("111111") : Secret("000000")), in: nil)
            }
            let form = try await challenge { () throws(AuthError) in
                try await repository.answer(next, with: .code(sent), in: nil)
            }
            let values = ["nickname": Secret("민지"), "terms": Secret("true")]
            let user = try await repository.answer(form, with: .form(values), in: nil).user
            emulator.server.require(step: "terms-2027", of: user.id)
            let again = try await challenge { () throws(AuthError) in
                try await repository.signIn(with: .code(to: "minji@example.com"))
            }
            let last = try #require(emulator.messages.last?.code)
            _ = try await challenge { () throws(AuthError) in
                try await repository.answer(again, with: .code(last), in: nil)
            }
            let codes = await transport.heard(at: "/auth/code")
            let answers = await transport.heard(at: "/auth/challenge")
            return try [
                "challenge": #require(codes.first?.answer), "answer": #require(answers.first?.request),
                "wrong code": #require(answers.first?.answer), "form": #require(answers[1].answer),
                "page": #require(answers.last?.answer),
            ]
        }
    }

    /// A person makes a passkey, and signs in by it.
    private func passkeys() async throws -> [String: AuthJSON] {
        try await withEmulator { emulator in
            let (transport, device) = (ListeningTransport(), EmulatedAuthenticator())
            let auth = AuthService(
                repository: ServerRepository.emulated(at: emulator.baseURL, transport: transport),
                providers: [PasskeyProvider(authenticator: device)], store: MemorySessionStore(),
                callbacks: CallbackRouter())
            _ = try await auth.signInAnonymously().value
            _ = try await auth.link(with: .passkey).value
            try await auth.signOut()
            _ = try await auth.signIn(with: .passkey).value
            _ = try await auth.passkeys()
            let options = await transport.heard(at: "/auth/passkeys/sign-in/options")
            let answers = await transport.heard(at: "/auth/passkeys/sign-in/verify")
            let list = await transport.heard(at: "/auth/passkeys")
            return try [
                "passkey options": #require(options.first?.answer), "passkey answer": #require(answers.first?.request),
                "passkeys": #require(list.first?.answer),
            ]
        }
    }

    /// The challenge of a call that has to be asked further.
    private func challenge(_ call: () async throws(AuthError) -> AuthSession) async throws -> Challenge {
        do throws(AuthError) { _ = try await call() } catch { return try #require(error.challenge) }
        throw AuthError(.unexpected, "There was no challenge.")
    }

    /// The account is deleted, and the person comes again: without an identity, which they link, and prove; and then as
    /// another user who wants the same identity.
    private func changes(
        over transport: ListeningTransport, _ repository: ServerRepository, _ emulator: Emulator
    ) async throws -> [String: AuthJSON] {
        for user in emulator.server.users { emulator.server.delete(user.id) }
        let credentials = EmulatedCredentials(at: emulator)
        let linked = try await repository.link(
            credentials.get(\.kakao), to: try await repository.signInAnonymously())
        _ = try await repository.reauthenticate(linked, with: credentials.get(\.kakao))
        _ = try await repository.updateProfile(
            ProfileChanges(displayName: .set("민지"), photoURL: .remove), of: linked)
        let other = try await repository.signInAnonymously()
        let again = try await credentials.get(\.kakao)
        await #expect(throws: AuthError.self) { try await repository.link(again, to: other) }
        let links = await transport.heard(at: "/auth/links")
        let profiles = await transport.heard(at: "/auth/user")
        let proofs = await transport.heard(at: "/auth/reauthenticate")
        return try [
            "profile request": #require(profiles.first?.request), "link request": #require(links.first?.request),
            "link answer": #require(links.first?.answer),
            "re-authentication answer": #require(proofs.first?.answer), "conflict": #require(links.last?.answer),
        ]
    }
}

/// Passes everything on and writes the JSON down.
private actor ListeningTransport: AuthHTTPTransport {
    private let network = URLSessionTransport.untimed()
    private var log: [(path: String, request: AuthJSON?, answer: AuthJSON?)] = []

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let response = try await network.send(request)
        let said = request.body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) }
        let heard = try? JSONDecoder().decode(AuthJSON.self, from: response.body)
        log.append((request.url.path(), said, heard))
        return response
    }

    func heard(at path: String) -> [(request: AuthJSON?, answer: AuthJSON?)] {
        log.filter { $0.path.hasSuffix(path) }.map { ($0.request, $0.answer) }
    }
}
