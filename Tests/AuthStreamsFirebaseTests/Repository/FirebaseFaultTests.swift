import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// Every request of the repository, by what precedes it: where something can go wrong.
enum FaultyStep: String, CaseIterable, CustomTestStringConvertible {
    case idp, idpLookup, function, customToken, customTokenLookup, refresh, delete
    case signUp, link, linkFunction, unlink, unlinkFunction, unlinkLookup, reauthenticate, reauthenticateFunction
    case revokeApple, revokeFunction, everywhere, reload, profile, profileLookup

    var testDescription: String { rawValue }

    /// The answers that lead up to the step.
    var before: [AuthHTTPResponse] {
        switch self {
        case .idp, .function, .refresh, .delete, .signUp, .link, .linkFunction, .unlinkLookup, .reauthenticate,
            .reauthenticateFunction, .revokeApple, .revokeFunction, .everywhere, .reload, .profile:
            []
        case .profileLookup: [.json("{}")]
        case .idpLookup: [Fixture.signedIn()]
        case .unlink, .unlinkFunction: [Fixture.account]
        case .customToken: [Fixture.functionResult]
        case .customTokenLookup: [Fixture.functionResult, Fixture.signedIn(user: nil)]
        }
    }

    /// Whether a success of it needs no member, so that any object is one.
    var needsNothing: Bool { [.delete, .unlink, .revokeApple].contains(self) }

    private static var appleByCode: Credential {
        var credential = Fixture.apple
        credential.authorizationCode = .init(code: Secret(Fixture.code))
        return credential
    }

    func run(_ repository: FirebaseRepository) async throws(AuthError) {
        switch self {
        case .idp, .idpLookup: _ = try await repository.signIn(with: Fixture.apple)
        case .function, .customToken, .customTokenLookup: _ = try await repository.signIn(with: Fixture.naver)
        case .refresh: _ = try await repository.refresh(Fixture.session)
        case .delete: try await repository.deleteAccount(Fixture.session)
        case .signUp: _ = try await repository.signInAnonymously()
        case .link: _ = try await repository.link(Fixture.apple, to: Fixture.session)
        case .linkFunction: _ = try await repository.link(Fixture.naver, to: Fixture.session)
        case .unlink, .unlinkLookup: _ = try await repository.unlink(.google, from: Fixture.session)
        case .unlinkFunction: _ = try await repository.unlink(.naver, from: Fixture.session)
        case .reauthenticate: _ = try await repository.reauthenticate(Fixture.session, with: Fixture.apple)
        case .reauthenticateFunction: _ = try await repository.reauthenticate(Fixture.session, with: Fixture.naver)
        case .revokeApple: try await repository.revokeAccess(with: Self.appleByCode, of: Fixture.session)
        case .revokeFunction: try await repository.revokeAccess(with: Fixture.naver, of: Fixture.session)
        case .everywhere: try await repository.signOutEverywhere(Fixture.session)
        case .reload: _ = try await repository.reload(Fixture.session)
        case .profile, .profileLookup:
            _ = try await repository.updateProfile(ProfileChanges(displayName: .set("x")), of: Fixture.session)
        }
    }
}

@Suite(.limitedParallelization) struct FirebaseFaultTests {
    /// Plays the answers up to the faulty step, then the fault.
    private struct FaultyTransport: AuthHTTPTransport {
        let left: Lock<[AuthHTTPResponse]>
        let fault: @Sendable (AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse

        init(
            _ step: FaultyStep, fault: @escaping @Sendable (AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse
        ) {
            left = Lock(step.before)
            self.fault = fault
        }

        func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            guard let answer = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return try await fault(request)
            }
            return answer
        }
    }

    private func repository(_ transport: any AuthHTTPTransport) -> FirebaseRepository {
        FirebaseRepository(
            project: Fixture.project, functions: .standard(), transport: transport, clock: Fixture.clock)
    }

    private func error(
        at step: FaultyStep, fault: @escaping @Sendable (AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse
    ) async throws -> AuthError {
        let repository = repository(FaultyTransport(step, fault: fault))
        return try await failure { () throws(AuthError) in try await step.run(repository) }
    }

    @Test(
        arguments: FaultyStep.allCases,
        ["", "null", "[]", "7", #""x""#, "{\"a\":", "<html><p>Sign in", "\u{0}\u{FFFD}"])
    func whatIsNoJSONObjectIsAnInvalidResponse(step: FaultyStep, body: String) async throws {
        let error = try await error(at: step) { _ in .json(body) }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: FaultyStep.allCases)
    func tenMegabytesAreNotRead(step: FaultyStep) async throws {
        let body = Data(repeating: UInt8(ascii: " "), count: 10 << 20)
        let server = try LoopbackServer.start { _ in LoopbackResponse(status: 200, body: body) }
        let transport = URLSessionTransport.untimed()
        let error = try await error(at: step) { (request) throws(AuthError) in
            var request = request
            request.url = URL(string: "http://127.0.0.1:\(server.port)") ?? request.url
            return try await transport.send(request)
        }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: FaultyStep.allCases, [AuthError.Code.network, .timedOut, .cancelled, .invalidResponse])
    func whatTheTransportThrowsIsKept(step: FaultyStep, code: AuthError.Code) async throws {
        let error = try await error(at: step) { (_) throws(AuthError) in throw AuthError(code, "Trouble.") }
        #expect(error.code == code)
        #expect(error.provider != nil)
    }

    /// A server that answers with what it was sent, wherever an answer has room for it.
    @Test(arguments: FaultyStep.allCases, TestVolume.of([200, 401], full: [200, 400, 401, 403, 500]))
    func noErrorRepeatsASecret(step: FaultyStep, status: Int) async throws {
        let secrets = [
            Fixture.providerToken, Fixture.accessToken, Fixture.nonce, Fixture.code, Fixture.customToken,
            Fixture.refreshToken, Fixture.idToken(), "state+1",
        ]
        for secret in secrets {
            let bodies = [
                #"{"error":{"message":"\#(secret)","status":"\#(secret)","details":[{"reason":"\#(secret)"}]}}"#,
                #"{"error":{"message":"INVALID_IDP_RESPONSE : \#(secret)","status":"UNAUTHENTICATED","details":"\#(secret)"}}"#,
                #"{"errorMessage":"\#(secret)","result":{"token":"\#(secret)"}}"#, secret,
                #"{"error":{"status":"ABORTED","details":{"\#(secret)":"\#(secret)"}}}"#,
                #"{"error":{"message":"BLOCKING_FUNCTION_ERROR_RESPONSE : {\"error\":{\"message\":\"\#(secret)\"}}"}}"#,
            ]
            for body in bodies where !(step.needsNothing && status == 200) {
                let sent = Lock<[String]>([])
                let error = try await error(at: step) { request in
                    sent.withLock { $0 = secrets.filter(request.quotes) }
                    return .json(body, status: status)
                }
                var told = "\(error)" + error.debugDescription + error.localizedDescription
                dump(error, to: &told)
                // Of what this request did not send, the function's own words may have a short one.
                for secret in error.serverMessage == nil ? secrets : sent.withLock({ $0 }) {
                    #expect(!told.contains(secret))
                }
            }
        }
    }

    @Test(arguments: FaultyStep.allCases.filter { $0.before.isEmpty })
    func cancellingTheTaskEndsTheRequest(step: FaultyStep) async throws {
        let transport = SilentTransport()
        let repository = repository(transport)
        let attempt = Task {
            try await failure { () throws(AuthError) in try await step.run(repository) }
        }
        await transport.asked.value()
        attempt.cancel()
        #expect(try await attempt.value.code == .cancelled)
    }
}

extension AuthHTTPRequest {
    /// Whether a text is in the header fields, in the body or in the forms in that.
    fileprivate func quotes(_ text: String) -> Bool {
        func texts(_ json: AuthJSON) -> [String] {
            switch json {
            case .string(let text): [text] + (FormCoding.decode(text) ?? []).map(\.value)
            case .array(let elements): elements.flatMap(texts)
            case .object(let members): members.values.flatMap(texts)
            default: []
            }
        }
        return (headers.values + texts(json ?? .string(self.text))).contains { $0.contains(text) }
    }
}
