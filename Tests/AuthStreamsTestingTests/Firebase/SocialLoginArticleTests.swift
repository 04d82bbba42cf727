import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// What the articles on the functions show: their code is compiled, their JSON is spoken.
@Suite struct SocialLoginArticleTests {
    private static let articles = ["SocialLogin", "ExistingFunction", "RevokingFunctions"]

    private func allBlocks(of article: String) throws -> [MarkdownFile.Block] {
        try MarkdownFile("Sources/AuthStreamsFirebase/AuthStreamsFirebase.docc/\(article).md").blocks
    }

    @Test(arguments: articles) func everySwiftBlockIsTheCodeOfACompiledFile(article: String) throws {
        let regions = try CompiledRegions(of: article, in: ["Tests/AuthStreamsTestingTests/Firebase"])
        let blocks = try allBlocks(of: article).filter { $0.language == "swift" }
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(regions.texts.keys))
        for block in blocks {
            let name = try #require(block.mark?.name, "The block that ends at line \(block.line) names no region.")
            #expect(block.text == regions.texts[name], "region \(name), line \(block.line)")
        }
    }

    @Test func everyJSONBlockIsWhatClientAndEmulatorSay() async throws {
        let spoken = try await SpokenExamples.all()
        let blocks = try Self.articles.flatMap { try allBlocks(of: $0).filter { $0.language == "json" } }
        #expect(Set(blocks.compactMap { $0.mark?.name }) == Set(spoken.keys))
        for block in blocks {
            let name = try #require(block.mark?.name, "The block that ends at line \(block.line) names no example.")
            let shown = try JSONDecoder().decode(AuthJSON.self, from: Data(block.text.utf8))
            #expect(shown == spoken[name], "example \(name), line \(block.line)")
        }
    }

    @Test func theTableOfFieldsIsTheFormats() throws {
        let text = try packageFile("Sources/AuthStreamsFirebase/AuthStreamsFirebase.docc/SocialLogin.md")
        let fields = SocialLoginFunction.Format.standard
        let names = [
            fields.provider, fields.idToken, fields.nonce, fields.accessToken, fields.code, fields.state,
            fields.redirectURI, fields.codeVerifier, fields.action,
        ].compactMap(\.self)
        for name in names { #expect(text.contains("| `\(name)` |"), "\(name)") }
    }
}

private func anExistingFunction() -> [ProviderID: FirebaseRoute] {
    // ExistingFunction: an existing function
    let routes: [ProviderID: FirebaseRoute] = [
        .kakao: .customToken(
            function: "login", region: .seoul,
            format: .accessToken(providers: [.kakao: "KAKAO"], answer: .member("token")))
    ]
    // ExistingFunction end
    return routes
}

private func everyFunction(_ project: FirebaseProject, _ transport: any AuthHTTPTransport) -> FirebaseRepository {
    // RevokingFunctions: account functions
    let repository = FirebaseRepository(
        project: project, routes: .standard(functionsIn: .seoul), functions: .standard(in: .seoul),
        transport: transport)
    // RevokingFunctions end
    return repository
}

/// The article's conversations, held for real, with every secret replaced by an ellipsis.
private enum SpokenExamples {
    static func all() async throws -> [String: AuthJSON] {
        try await standard().merging(existing()) { $1 }.merging(changes()) { $1 }
    }

    private static func standard() async throws -> [String: AuthJSON] {
        var said: [String: AuthJSON] = [:]
        try await EmulatedBackend.run { backend in
            let line = ListeningTransport()
            let firebase = backend.emulator.configuration.firebase
            let repository = FirebaseRepository.emulated(
                at: backend.emulator.baseURL, project: firebase, transport: line,
                clock: backend.emulator.configuration.clock)
            let revocation = SocialRevocationFunction(
                CallableFunctions(project: firebase.client(at: backend.emulator.baseURL), in: .seoul, transport: line))
            let token = try await backend.kakaoAccessToken(ofKey: backend.emulator.configuration.kakao.nativeAppKey)
            func kakao(_ id: String = "1001") -> Credential {
                Credential(
                    provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n", "sub": .string(id)])),
                    rawNonce: Secret("n"), accessToken: Secret(token))
            }

            let session = try await repository.signIn(with: kakao())
            (said["kakao by ID token"], said["signed in"]) = line.call(of: "socialLogin")
            _ = try await repository.signIn(with: Credential(provider: .kakao, accessToken: Secret(token)))
            said["kakao by access token"] = line.call(of: "socialLogin").request
            let naver = backend.emulator.configuration.naver
            let code = Credential.AuthorizationCode(
                code: Secret(try await backend.naverCode()), state: Secret("s"),
                redirectURI: URL(string: "\(naver.urlScheme)://authorize"))
            _ = try await repository.signIn(with: Credential(provider: .naver, authorizationCode: code))
            said["naver by code"] = line.call(of: "socialLogin").request

            backend.emulator.firebase.enrollSecondFactor(for: session.user.id)
            _ = try? await repository.signIn(with: kakao())
            said["second factor"] = line.call(of: "socialLogin").answer
            backend.emulator.firebase.withdrawSecondFactor(of: session.user.id)
            backend.emulator.firebase.disable(session.user.id)
            _ = try? await repository.signIn(with: kakao())
            said["disabled"] = line.call(of: "socialLogin").answer
            backend.emulator.firebase.enable(session.user.id)

            try? await revocation.revoke(kakao("1002"), idToken: session.accessToken)
            said["another person"] = line.call(of: "revokeSocialLogin").answer
            try await revocation.revoke(kakao(), idToken: session.accessToken)
            (said["revoke"], said["revoked"]) = line.call(of: "revokeSocialLogin")
        }
        return said
    }

    /// Linking and unlinking, and signing out everywhere.
    private static func changes() async throws -> [String: AuthJSON] {
        var said: [String: AuthJSON] = [:]
        try await EmulatedBackend.run { backend in
            let line = ListeningTransport()
            let repository = everyFunction(
                backend.emulator.configuration.firebase.client(at: backend.emulator.baseURL), line)
            let anonymous = try await repository.signInAnonymously()
            let lasting = try await repository.link(backend.google(), to: anonymous)
            var kakao = backend.kakao()
            kakao.accessToken = Secret(
                try await backend.kakaoAccessToken(ofKey: backend.emulator.configuration.kakao.nativeAppKey))
            let session = try await repository.link(kakao, to: lasting)
            (said["link"], said["linked"]) = line.call(of: "socialLogin")
            let other = try await repository.signInAnonymously()
            _ = try? await repository.link(backend.kakao(), to: other)
            said["another account"] = line.call(of: "socialLogin").answer
            _ = try await repository.unlink(.kakao, from: session)
            (said["unlink"], said["unlinked"]) = line.call(of: "socialLogin")
            try await repository.signOutEverywhere(session)
            (said["revoke sessions"], said["sessions revoked"]) = line.call(of: "revokeSessions")
        }
        return said
    }

    private static func existing() async throws -> [String: AuthJSON] {
        var said: [String: AuthJSON] = [:]
        let change: (inout EmulatorConfiguration) -> Void = { configuration in
            configuration.firebase.function = "login"
            configuration.firebase.functionFormat = .accessToken(
                providers: [.kakao: "KAKAO"], answer: .member("token"))
        }
        try await EmulatedBackend.run(change) { backend in
            let line = ListeningTransport()
            let emulator = backend.emulator
            let repository = FirebaseRepository(
                project: emulator.configuration.firebase.client(at: emulator.baseURL), routes: anExistingFunction(),
                transport: line, clock: emulator.configuration.clock)
            let token = try await backend.kakaoAccessToken(ofKey: emulator.configuration.kakao.nativeAppKey)
            _ = try await repository.signIn(with: Credential(provider: .kakao, accessToken: Secret(token)))
            (said["an existing function is called"], said["an existing function answers"]) = line.call(of: "login")
        }
        return said
    }
}

/// The network, and what was said on it last.
private final class ListeningTransport: AuthHTTPTransport {
    private let calls = Lock<[String: (request: AuthJSON?, answer: AuthJSON?)]>([:])
    private let network = URLSessionTransport.untimed()

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let response = try await network.send(request)
        let call = (Self.read(request.body), Self.read(response.body))
        calls.withLock { $0[request.url.lastPathComponent] = call }
        return response
    }

    func call(of function: String) -> (request: AuthJSON?, answer: AuthJSON?) {
        calls.withLock { $0[function] } ?? (nil, nil)
    }

    private static func read(_ body: Data?) -> AuthJSON? {
        body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) }.map(withoutSecrets)
    }

    private static let open: Set<String> = ["provider", "status", "message", "action", "reason"]

    private static func withoutSecrets(_ value: AuthJSON) -> AuthJSON {
        guard let members = value.object else { return value }
        let pairs = members.map { ($0, $1.string == nil || open.contains($0) ? withoutSecrets($1) : "…") }
        return .object(Dictionary(uniqueKeysWithValues: pairs))
    }
}
