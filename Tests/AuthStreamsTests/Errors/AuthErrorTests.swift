import AuthStreams
import Foundation
import Testing

@Suite struct AuthErrorTests {
    private struct Foreign: Error {}

    @Test func authErrorPassesAsItIs() {
        let error = AuthError(.rateLimited, "Slow down.", provider: .kakao, retryAfter: .seconds(3))
        #expect(AuthError(wrapping: error) == error)
    }

    @Test func cancellationBecomesCancelled() {
        let error = AuthError(wrapping: CancellationError())
        #expect(error.code == .cancelled && error.isUserCancellation && error.cause == nil)
    }

    @Test func anythingElseIsUnexpectedWithItsCause() {
        let error = AuthError(wrapping: Foreign())
        #expect(error.code == .unexpected)
        #expect(error.cause?.domain.contains("Foreign") == true)
    }

    @Test func wrappingLetsOneTypeOut() async throws {
        #expect(try await AuthError.wrapping { 7 } == 7)
        do throws(AuthError) {
            _ = try await AuthError.wrapping { throw CancellationError() }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .cancelled)
        }
    }

    @Test func locatingFillsInWhatIsNotKnown() {
        let bare = AuthError(.network, "").located(provider: .naver, step: .exchanging)
        #expect(bare.provider == .naver && bare.step == .exchanging)
        let located = bare.located(provider: .kakao, step: .presenting)
        #expect(located.provider == .naver && located.step == .exchanging)
    }

    @Test func onlyWhatMayPassIsRetryable() {
        let retryable = AuthError.Code.allKnown.filter { AuthError($0, "").isRetryable }
        #expect(retryable == [.abandoned, .timedOut, .rateLimited, .network, .server, .storageLocked])
    }

    @Test func whatTheServerSaidMovesToAnotherError() {
        var refusal = AuthError(.accessDenied, "No.", serverCode: "PERMISSION_DENIED")
        refusal.serverMessage = "Banned."
        refusal.serverDetails = ["until": 2030]
        let error = AuthError(.userDisabled, "Disabled.").quotingServer(of: refusal)
        #expect(error.code == .userDisabled && error.explanation == "Disabled.")
        #expect(error.serverCode == "PERMISSION_DENIED")
        #expect(error.serverMessage == "Banned." && error.serverDetails == ["until": 2030])
        #expect(error != AuthError(.userDisabled, "Disabled.", serverCode: "PERMISSION_DENIED"))
        #expect(!error.debugDescription.contains("2030"))
    }

    @Test func descriptionIsShortAndDebugDescriptionTellsTheStory() {
        let error = AuthError(
            .invalidCredential, "The code was used before; start over.", provider: .kakao, step: .exchanging,
            serverCode: "KOE320", retryAfter: .seconds(3), cause: URLError(.badServerResponse))
        #expect(error.description == "invalidCredential · kakao · exchanging · KOE320")
        #expect(
            error.debugDescription == """
                AuthError invalidCredential · kakao · exchanging · KOE320
                  The code was used before; start over.
                  The server asked to wait 3.0 seconds.
                  Caused by NSURLErrorDomain -1011
                """)
    }
}
