import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

extension Suite {
    /// The emulator after many sign-ins, and its signatures.
    static let emulator = Suite(
        name: "emulator",
        summary:
            "the emulator beside constant answers, beside itself after few sign-ins, its signatures beside one alone, and its start",
        rivals: [.early, .keptKey, .constant, .empty],
        measures: [.emulatorStart, .keySet, .signInsBesideConstants, .memoryOfSignIns, .lateSignIns, .signedTokens])
}

extension Measure {
    /// The program from its start until it serves and has printed what it consists of, beside an empty program.
    fileprivate static let emulatorStart = Measure(
        id: "emulator-start", title: "emulator, from its start until it serves", unit: "ms",
        figure: .cost(beside: .empty), bound: .atMost(must: 5, aim: 4)
    ) { rounds in
        let folder = try Program.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (emulator, empty) = (try Program(named: "emulator"), try Program.empty(in: folder))
        let count = rounds.scaled(20)
        return try await rounds.interleave([
            (
                .ours,
                {
                    let times = try (0..<count).map { _ in
                        try emulator.start("--port", "0", until: "Ctrl-C ends it.")
                    }
                    return times.reduce(0, +) / Double(count) / 1_000_000
                }
            ),
            (.empty, { try await mean(of: count) { try empty.run() } / 1_000_000 }),
        ])
    }

    /// Whether memory grows with the number of sign-ins. Measured once, because it takes a minute.
    fileprivate static let memoryOfSignIns = Measure(
        id: "sign-ins-memory", title: "heap after 20 000 sign-ins, beside that after 2 000", unit: "KiB",
        figure: .cost(beside: .early), bound: .atMost(must: 1.1, aim: 1.05)
    ) { rounds in
        let before = try HeapUse.bytes()
        return try await EmulatorVisits.run { visits in
            let (count, heap) = (rounds.scaled(2_000), { try (HeapUse.bytes() - before) / 1024 })
            for _ in 0..<count { try await visits.signIn() }
            let early = try heap()
            for _ in 0..<9 * count { try await visits.signIn() }
            return [.ours: [try heap()], .early: [early]]
        }
    }

    /// Whether a sign-in takes longer after many others.
    fileprivate static let lateSignIns = Measure(
        id: "sign-ins-late", title: "sign-in with Google and its sessions, after 5 000 others", unit: "µs",
        figure: .cost(beside: .early), bound: .atMost(must: 1.3, aim: 1.1)
    ) { rounds in
        let count = rounds.scaled(500)
        return try await EmulatorVisits.run { late in
            for _ in 0..<10 * count { try await late.signIn() }
            return try await rounds.interleave([
                (.ours, { try await mean(of: max(1, count / 10)) { try await late.signIn() } / 1000 }),
                (
                    .early,
                    {
                        try await EmulatorVisits.run { early in
                            try await mean(of: max(1, count / 10)) { try await early.signIn() } / 1000
                        }
                    }
                ),
            ])
        }
    }

    /// Whether an answer that never changes is made anew. 1.43 is 0.7 of the rate.
    fileprivate static let keySet = Measure(
        id: "key-set", title: "key set of Kakao, over HTTP", unit: "µs",
        figure: .cost(beside: .constant), bound: .atMost(must: 1.43, aim: 1.2)
    ) { rounds in
        let (count, address) = (rounds.scaled(1_000), "kauth.kakao.com/.well-known/jwks.json")
        return try await EmulatorVisits.runOverHTTP { visits in
            let recorded = Recorder(visits.transport)
            _ = try await visits.through(recorded).send(.get, address)
            return try await ConstantServer.run(recorded) { constants in
                try await rounds.finer(by: 3).interleave([
                    (.ours, { try await mean(of: count) { _ = try await visits.send(.get, address) } / 1000 }),
                    (
                        .constant,
                        { try await mean(of: count) { _ = try await visits.at(constants).send(.get, address) } / 1000 }
                    ),
                ])
            }
        }
    }

    /// What the emulator's rules cost a sign-in, without its signatures.
    fileprivate static let signInsBesideConstants = Measure(
        id: "sign-in-requests", title: "requests of a sign-in with Google and Kakao over HTTP, signing aside",
        unit: "µs",
        figure: .cost(beside: .constant), bound: .atMost(must: 1.3, aim: 1.15)
    ) { rounds in
        guard Signatures.isAvailable else { throw Unavailable(description: "This system makes no signatures.") }
        let key = try SigningKey(DevelopmentKeys.bytes(DevelopmentKeys.rsaPrivateKey))
        let (message, count) = (Data("message".utf8), rounds.scaled(100))
        let recorded = try await EmulatorVisits.recordedSignIn()
        let signatures = recorded.signatures
        return try await EmulatorVisits.runOverHTTP { visits in
            try await ConstantServer.run(recorded) { constants in
                try await rounds.finer(by: 3).interleave([
                    (
                        .ours,
                        {
                            let signature = try await mean(of: count) {
                                consume(try key.sign(message, algorithm: .rs256))
                            }
                            let visit = try await mean(of: count) { try await visits.signIn() }
                            return (visit - Double(signatures) * signature) / 1000
                        }
                    ),
                    (.constant, { try await mean(of: count) { try await visits.at(constants).signIn() } / 1000 }),
                ])
            }
        }
    }

    /// Whether a token reads its key again.
    fileprivate static let signedTokens = Measure(
        id: "signed-token", title: "token of an emulated issuer, signed with RS256", unit: "µs",
        figure: .cost(beside: .keptKey), bound: .atMost(must: 1.3, aim: 1.15)
    ) { rounds in
        guard Signatures.isAvailable else { throw Unavailable(description: "This system makes no signatures.") }
        let key = try SigningKey(DevelopmentKeys.bytes(DevelopmentKeys.rsaPrivateKey))
        let (signer, message, count) = (TokenSigner(), Data("message".utf8), rounds.scaled(500))
        return try await rounds.finer(by: 3).interleave([
            (.ours, { await mean(of: count) { consume(signer.token(["sub": "1"], host: "kauth.kakao.com")) } / 1000 }),
            (.keptKey, { try await mean(of: count) { consume(try key.sign(message, algorithm: .rs256)) } / 1000 }),
        ])
    }
}

/// Keeps the answers of a server by method and path.
private struct Recorder: AuthHTTPTransport {
    let transport: any AuthHTTPTransport
    private let answered: @Sendable () -> Void
    private let answers = Guarded<[String: AuthHTTPResponse]>([:])
    private let tokens = Guarded<Set<String>>([])

    init(_ transport: any AuthHTTPTransport, answered: @escaping @Sendable () -> Void = {}) {
        (self.transport, self.answered) = (transport, answered)
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let answer = try await transport.send(request)
        answers.withLock { $0["\(request.method.rawValue) \(request.url.path())"] = answer }
        let signed = answer.text.matches(of: /eyJ[\w\-]+\.eyJ[\w\-]+\.[\w\-]{300,}/).map { String($0.output) }
        tokens.withLock { $0.formUnion(signed) }
        answered()
        return answer
    }

    /// Returns the answer as a constant.
    func answer(to request: LoopbackRequest) -> LoopbackResponse {
        let path = request.target.prefix { $0 != "?" }
        guard let answer = answers.withLock({ $0["\(request.method) \(path)"] }) else {
            return LoopbackResponse(status: 404)
        }
        let own: Set<HeaderName> = ["Content-Length", "Connection", "Keep-Alive"]
        return LoopbackResponse(
            status: answer.status,
            headers: answer.headers.filter { !own.contains($0.key) }.map { ($0.key.canonical, $0.value) },
            body: answer.body)
    }

    /// How many of the answers' tokens have a signature of their own.
    var signatures: Int { tokens.withLock(\.count) }
}

/// A server that only has recorded answers.
private enum ConstantServer {
    static func run<Value>(_ recorded: Recorder, _ body: (URL) async throws -> Value) async throws -> Value {
        let server = try LoopbackServer.start { recorded.answer(to: $0) }
        defer { server.stop() }
        guard let base = URL(string: "http://127.0.0.1:\(server.port)") else {
            throw Mistake(description: "The server has no address.")
        }
        return try await body(base)
    }
}

/// Sign-ins at an emulator without the library: with Google at Firebase and the own server, and with Kakao at Supabase. Each leaves
/// a page and a code behind.
private struct EmulatorVisits: Sendable {
    private static let server = EmulatorConfiguration.Server.baseURL.dropFirst("https://".count)
    private static let supabase = EmulatorConfiguration.Supabase.baseURL.dropFirst("https://".count)

    private let configuration: EmulatorConfiguration
    private let base: URL
    let transport: any AuthHTTPTransport

    /// Without a network.
    static func run<Value>(_ body: (Self) async throws -> Value) async throws -> Value {
        // The timer of a timeout that is cancelled would stay until it is due.
        try await run(
            .init(), { EmulatorTransport(to: $0, clock: ManualClock().authClock(startingAt: .distantPast)) }, body)
    }

    static func runOverHTTP<Value>(
        _ configuration: EmulatorConfiguration = .init(), _ body: (Self) async throws -> Value
    ) async throws -> Value {
        try await run(configuration, { _ in .untimed() }, body)
    }

    /// A sign-in over HTTP whose answers are a second apart: tokens of one second may be equal, though each was signed.
    static func recordedSignIn() async throws -> Recorder {
        let clock = ManualClock()
        var configuration = EmulatorConfiguration()
        configuration.clock = clock.authClock(startingAt: Date())
        return try await runOverHTTP(configuration) { visits in
            let recorded = Recorder(visits.transport) { clock.advance(by: .seconds(1)) }
            try await visits.through(recorded).signIn()
            return recorded
        }
    }

    private static func run<Value>(
        _ configuration: EmulatorConfiguration, _ transport: (Emulator) -> any AuthHTTPTransport,
        _ body: (Self) async throws -> Value
    ) async throws -> Value {
        // Not `withEmulator`, whose number is limited: two run at a time.
        let emulator = try Emulator.start(configuration)
        defer { emulator.stop() }
        return try await body(
            Self(configuration: emulator.configuration, base: emulator.baseURL, transport: transport(emulator)))
    }

    func through(_ transport: any AuthHTTPTransport) -> Self {
        Self(configuration: configuration, base: base, transport: transport)
    }

    func at(_ base: URL) -> Self { Self(configuration: configuration, base: base, transport: transport) }

    func signIn() async throws {
        let (nonce, google) = (UUID().uuidString, configuration.google.clients[0])
        let redirect = "\(google.id.split(separator: ".").reversed().joined(separator: ".")):/callback"
        let query: [(String, String)] = [
            ("client_id", google.id), ("redirect_uri", redirect), ("response_type", "code"),
            ("scope", "openid email profile"), ("nonce", nonce),
        ]
        let page = "accounts.google.com/o/oauth2/v2/auth?\(FormCoding.encode(query.map { (name: $0.0, value: $0.1) }))"
        _ = try await send(.get, page)
        let ticket = try await send(.get, page).text.firstMatch(of: /name="ticket" value="([^"]+)"/)?.1
        let answer = try await send(
            .post, "accounts.google.com/emulator/consent",
            form: [
                "ticket": String(ticket ?? ""), "user": configuration.google.users[0].id, "decision": "approve",
            ])
        let code = answer.headers["Location"].flatMap { URLComponents(string: $0)?.queryItems }?
            .first { $0.name == "code" }?.value
        let tokens = try await send(
            .post, "oauth2.googleapis.com/token",
            form: [
                "grant_type": "authorization_code", "client_id": google.id, "redirect_uri": redirect,
                "code": code ?? "",
            ])
        let idToken = try text("id_token", in: tokens)
        let post = FormCoding.encode([(name: "id_token", value: idToken), (name: "providerId", value: "google.com")])
        let firebase = try await send(
            .post, "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=\(configuration.firebase.apiKey)",
            json: ["requestUri": "https://app.example", "postBody": .string(post), "returnSecureToken": true])
        let refreshed = try await send(
            .post, "securetoken.googleapis.com/v1/token?key=\(configuration.firebase.apiKey)",
            form: ["grant_type": "refresh_token", "refresh_token": text("refreshToken", in: firebase)])
        _ = try text("id_token", in: refreshed)
        let server = try await send(
            .post, "\(Self.server)/auth/sign-in",
            json: ["provider": "google.com", "idToken": .string(idToken), "nonce": .string(nonce)])
        _ = try await send(
            .post, "\(Self.server)/auth/refresh",
            json: ["refreshToken": .string(text("refreshToken", in: server))])
        try await signInWithKakao()
    }

    private func signInWithKakao() async throws {
        let kakao = configuration.kakao
        let app = ["client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI]
        let talk = ["decision": "approve"].merging(app) { $1 }
        _ = try await send(.post, "talk-apps.kakao.com/emulator/code", form: talk)
        let redirect = try text(
            "redirect", in: try await send(.post, "talk-apps.kakao.com/emulator/code", form: talk))
        let code = URLComponents(string: redirect)?.queryItems?.first { $0.name == "code" }?.value
        let tokens = try await send(
            .post, "kauth.kakao.com/oauth/token",
            form: ["grant_type": "authorization_code", "code": code ?? ""].merging(app) { $1 })
        let session = try await send(
            .post, "\(Self.supabase)/auth/v1/token?grant_type=id_token",
            json: ["provider": "kakao", "id_token": .string(text("id_token", in: tokens))])
        _ = try await send(
            .post, "\(Self.supabase)/auth/v1/token?grant_type=refresh_token",
            json: ["refresh_token": .string(text("refresh_token", in: session))])
    }

    private func text(_ name: String, in response: AuthHTTPResponse) throws -> String {
        guard let text = AuthJSON(json: response.body)?[name]?.string else {
            throw Mistake(description: "No \(name): \(response.status) \(response.text)")
        }
        return text
    }

    @discardableResult
    func send(
        _ method: AuthHTTPRequest.Method, _ address: String, form: [String: String]? = nil, json: AuthJSON? = nil
    ) async throws -> AuthHTTPResponse {
        guard let url = URL(string: "\(base.absoluteString)/\(address)") else { throw Mistake(description: address) }
        var request = AuthHTTPRequest(method, url, headers: ["apikey": configuration.supabase.key])
        if let form {
            request.headers[.contentType] = FormCoding.contentType
            request.body = Data(FormCoding.encode(form.map { (name: $0.key, value: $0.value) }).utf8)
        } else if let json {
            request.headers[.contentType] = "application/json"
            request.body = try JSONEncoder().encode(json)
        }
        let answer = try await transport.send(request)
        guard answer.status < 400 else { throw Mistake(description: "\(address): \(answer.status)") }
        return answer
    }
}

extension AuthHTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
