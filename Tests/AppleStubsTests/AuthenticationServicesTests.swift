import AuthStreams
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@Suite(.appleDevice) @MainActor struct AuthenticationServicesTests {
    /// A delegate that writes down what it is told.
    @MainActor
    private final class Delegate: NSObject, ASAuthorizationControllerDelegate,
        ASAuthorizationControllerPresentationContextProviding
    {
        let window: UIWindow
        var users: [String] = []
        var errors: [Int] = []
        let calls = Calls()

        init(_ window: UIWindow) { self.window = window }

        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            users.append((authorization.credential as? ASAuthorizationAppleIDCredential)?.user ?? "")
            calls.add()
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            errors.append((error as NSError).code)
            calls.add()
        }
    }

    /// Says on which thread a delegate is called, which need not be isolated to the main actor for it.
    private final class Elsewhere: NSObject, ASAuthorizationControllerDelegate, Sendable {
        let calls = Calls()

        nonisolated func authorizationController(
            controller: ASAuthorizationController, didCompleteWithError error: any Error
        ) {
            calls.add()
        }
    }

    private func begin(_ delegate: any ASAuthorizationControllerDelegate) async -> AppleDevice.AppleID.Attempt {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = "hashed"
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = delegate
        controller.presentationContextProvider = delegate as? any ASAuthorizationControllerPresentationContextProviding
        controller.performRequests()
        return await AppleDevice.AppleID.nextAttempt()
    }

    @Test func delegateIsCalledOnceTwiceAndLate() async throws {
        let window = try #require(AppleDevice.App.connect().keyWindow)
        let delegate = Delegate(window)
        let attempt = await begin(delegate)
        #expect(attempt.request?.nonce == "hashed" && attempt.anchor === window)
        attempt.succeed(with: .simulated(user: "one", identityToken: nil))
        #expect(await delegate.calls.next() == .main)
        attempt.fail(ASAuthorizationError(.canceled), times: 2)
        _ = await (delegate.calls.next(), delegate.calls.next())
        attempt.fail(NSError(domain: ASAuthorizationErrorDomain, code: 1099))
        _ = await delegate.calls.next()
        #expect(delegate.users == ["one"] && delegate.errors == [1001, 1001, 1099])
    }

    @Test func delegateIsCalledOnAnotherThread() async {
        let delegate = Elsewhere()
        await begin(delegate).fail(ASAuthorizationError(.failed), on: .elsewhere)
        #expect(await delegate.calls.next() == .elsewhere)
    }

    @Test func cancelTellsTheDelegate() async throws {
        let delegate = Delegate(try #require(AppleDevice.App.connect().keyWindow))
        await begin(delegate).controller.cancel()
        _ = await delegate.calls.next()
        #expect(delegate.errors == [ASAuthorizationError.canceled.rawValue])
    }

    @Test func credentialStateIsToldAndThrowsWhereItIsNotFound() async throws {
        let provider = ASAuthorizationAppleIDProvider()
        AppleDevice.AppleID.credentialStates = ["a": .authorized, "t": .transferred, "f": .notFound]
        #expect(try await provider.credentialState(forUserID: "a") == .authorized)
        #expect(try await provider.credentialState(forUserID: "t") == .transferred)
        await #expect(throws: ASAuthorizationError.self) { try await provider.credentialState(forUserID: "n") }
        #expect(try await provider.credentialState(forUserID: "f") == .notFound)
        AppleDevice.AppleID.credentialStateError = URLError(.notConnectedToInternet)
        await #expect(throws: URLError.self) { try await provider.credentialState(forUserID: "a") }
    }

    @Test func revocationIsNotified() {
        let heard = Calls()
        let name = ASAuthorizationAppleIDProvider.credentialRevokedNotification
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in heard.add() }
        defer { NotificationCenter.default.removeObserver(token) }
        AppleDevice.AppleID.revoke("a")
        #expect(AppleDevice.AppleID.credentialStates == ["a": .revoked])
        #expect(heard.count == 1)
    }

    @Test func codesOfErrorsAreApples() {
        let codes: [ASAuthorizationError.Code] = [
            .unknown, .canceled, .invalidResponse, .notHandled, .failed, .notInteractive, .matchedExcludedCredential,
            .credentialImport, .credentialExport, .preferSignInWithApple, .deviceNotConfiguredForPasskeyCreation,
        ]
        #expect(codes.map(\.rawValue) == Array(1000...1010))
        let error = ASAuthorizationError(.failed) as NSError
        #expect(error.domain == ASAuthorizationErrorDomain && error.code == 1004)
    }
}
