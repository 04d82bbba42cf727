import AuthStreams
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// Answers of Apple's sheet that end an attempt with an error.
@MainActor
@Suite(.appleDevice) struct AppleProviderFailureTests {
    private static func system(_ code: Int, domain: String = ASAuthorizationErrorDomain, below: NSError? = nil)
        -> NSError
    {
        NSError(domain: domain, code: code, userInfo: below.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    }

    @Test(arguments: [
        (1000, AuthError.Code.misconfigured), (1001, .cancelled), (1002, .invalidResponse), (1003, .unexpected),
        (1004, .unexpected), (1005, .presentationUnavailable), (1006, .unexpected), (1007, .unexpected),
        (1008, .unexpected), (1009, .unexpected), (1010, .unexpected), (1011, .unexpected), (0, .unexpected),
    ])
    func systemErrorHasAMeaning(code: Int, expected: AuthError.Code) async throws {
        let error = try #require(await SheetFixture().error { $0.fail(Self.system(code)) })
        #expect(error.code == expected && error.provider == .apple && error.step == .presenting)
        #expect(error.cause?.code == code && error.cause?.domain == ASAuthorizationErrorDomain)
        #expect(error.isUserCancellation == (code == 1001))
    }

    @Test func setUpErrorsSayWhatToDo() async throws {
        let error = try #require(await SheetFixture().error { $0.fail(Self.system(1000)) })
        for word in ["capability", "Apple Account", "settings"] { #expect(error.explanation.contains(word)) }
    }

    @Test(arguments: ["AKAuthenticationError", "com.apple.AuthenticationServices.WebAuthenticationSession", ""])
    func errorOfAnotherDomainIsNoCancel(domain: String) async {
        let error = await SheetFixture().error { $0.fail(Self.system(1001, domain: domain)) }
        #expect(error?.code == .unexpected && error?.cause?.domain == domain)
    }

    @Test func missingNetworkBelowTheErrorIsNetwork() async {
        let offline = Self.system(NSURLErrorNotConnectedToInternet, domain: NSURLErrorDomain)
        let between = Self.system(-7005, domain: "AKAuthenticationError", below: offline)
        for code in [1000, 1004] {
            let error = await SheetFixture().error { $0.fail(Self.system(code, below: between)) }
            #expect(error?.code == .network && error?.cause?.code == NSURLErrorNotConnectedToInternet)
            #expect(error?.isRetryable == true)
        }
    }

    @Test(arguments: [nil, Data(), Data([0xFF, 0xFE])])
    func answerWithoutAnIDTokenProvesNothing(token: Data?) async {
        let error = await SheetFixture().error { attempt in
            attempt.succeed(with: .simulated(identityToken: token, state: attempt.request?.state))
        }
        #expect(error?.code == .invalidResponse)
    }

    /// The profile that an attempt stores before it ends with an error.
    private func profile(
        keptWhen answer: (AppleDevice.AppleID.Attempt) -> Void
    ) async -> (profile: Credential?, error: AuthError?) {
        let (app, kept) = (SheetFixture(), Lock<Credential?>(nil))
        var request = app.request
        request.keepProfile = { credential in kept.withLock { $0 = credential } }
        guard case .failure(let error) = await app.result(request, answer) else { return (kept.withLock { $0 }, nil) }
        return (kept.withLock { $0 }, error)
    }

    /// Apple sends name and address once.
    @Test func profileOfAnAnswerThatProvesNothingIsKept() async {
        let tokens = [nil, Data("not a token".utf8), AppleDevice.AppleID.Attempt.token(["nonce": "another"])]
        for token in tokens {
            let (kept, error) = await profile { attempt in
                attempt.succeed(
                    with: .simulated(
                        user: SheetFixture.user, identityToken: token, state: attempt.request?.state,
                        email: "minji@example.com"))
            }
            #expect(error != nil && kept?.userID == SheetFixture.user)
            #expect(kept?.profile == Credential.Profile(email: "minji@example.com"))
            #expect(kept?.idToken == nil && kept?.authorizationCode == nil)
        }
    }

    @Test func profileOfAnotherAttemptsAnswerIsNotKept() async {
        let (kept, error) = await profile { attempt in
            attempt.succeed(
                with: .simulated(
                    user: SheetFixture.user, identityToken: nil, state: "another", email: "minji@example.com"))
        }
        #expect(error?.code == .stateMismatch && kept == nil)
    }

    @Test func profileOfNoPersonIsNotKept() async {
        let (kept, error) = await profile { attempt in
            attempt.succeed(
                with: .simulated(
                    user: "", identityToken: nil, state: attempt.request?.state, email: "minji@example.com"))
        }
        #expect(error?.code == .invalidResponse && kept == nil)
    }

    @Test(arguments: ["not a token", "a.b", "e30.W10.c2ln"])
    func tokenThatIsNoneIsRefused(token: String) async {
        let error = await SheetFixture().error { attempt in
            attempt.succeed(with: .simulated(identityToken: Data(token.utf8), state: attempt.request?.state))
        }
        #expect(error?.code == .invalidIDToken)
    }

    @Test func stateOfAnotherAttemptOrNoneIsRefused() async {
        for state in ["another", "", nil] {
            let error = await SheetFixture().error { attempt in
                attempt.succeed(
                    with: .simulated(
                        user: SheetFixture.user, identityToken: type(of: attempt).token(attempt.claims), state: state))
            }
            #expect(error?.code == .stateMismatch)
        }
    }

    @Test func lostOrDifferentNonceIsRefused() async {
        for nonce in [AuthJSON.null, "", "another", 7, .array([])] {
            let error = await SheetFixture().error { $0.succeed(with: $0.credential(claims: ["nonce": nonce])) }
            #expect(error?.code == .nonceMismatch)
        }
        // The raw nonce in place of its hash: a token that was issued for another kind of request.
        let raw = await SheetFixture().error { attempt in
            attempt.succeed(with: attempt.credential(claims: ["nonce": .string(attempt.request?.state ?? "")]))
        }
        #expect(raw?.code == .nonceMismatch)
    }

    @Test func tokenOfAnotherPersonIsRefused() async {
        for subject in ["000999.def.0001", "", AuthJSON.null] {
            let error = await SheetFixture().error { $0.succeed(with: $0.credential(claims: ["sub": subject])) }
            #expect(error?.code == .invalidIDToken)
        }
    }

    @Test func missingCodeLosesNoSignIn() async throws {
        let credential = try await SheetFixture().result { $0.succeed(with: $0.credential(code: nil)) }.get()
        #expect(credential.authorizationCode == nil && credential.idToken != nil)
    }

    @Test func errorShowsNoSecret() async {
        var secrets: [String] = []
        let error = await SheetFixture().error { attempt in
            secrets = [attempt.request?.state, attempt.request?.nonce].compactMap(\.self)
            attempt.succeed(with: attempt.credential(claims: ["nonce": "another", "email": "me@example.com"]))
        }
        let text = error.map { "\($0) \(String(reflecting: $0)) \($0.localizedDescription)" } ?? ""
        #expect(!text.isEmpty && secrets.count == 2)
        for secret in secrets + ["one-time-code", "me@example.com"] { #expect(!text.contains(secret)) }
    }
}
