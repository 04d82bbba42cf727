import AuthStreams
import Testing

@testable import AuthStreamsApple

/// Which content a gate shows.
@Suite struct AuthGateContentTests {
    private let user = AuthUser(id: "1001", displayName: "Ada")

    @Test func restoringShowsTheLaunchScreenAlsoOnALockedDevice() {
        #expect(AuthGateContent(.restoring(.reading)) == .launch)
        #expect(AuthGateContent(.restoring(.waitingForUnlock)) == .launch)
    }

    @Test func stepsOfASignInKeepTheContentForSigningIn() {
        let states: [AuthState] = [
            .signedOut(nil), .signedOut(.expired), .signingIn(.kakao, .presenting), .signingIn(.naver, .exchanging),
        ]
        for state in states { #expect(AuthGateContent(state) == .signedOut) }
    }

    @Test func refreshKeepsTheContentOfTheUser() {
        #expect(AuthGateContent(.signedIn(user, .verified)) == .signedIn(user))
        #expect(AuthGateContent(.signedIn(user, .cached)) == .signedIn(user))
    }

    @Test func newNameOfTheUserAndAnotherUserAreSeen() {
        var renamed = user
        renamed.displayName = "Ada L."
        #expect(AuthGateContent(.signedIn(renamed, .verified)) != AuthGateContent(.signedIn(user, .verified)))
        #expect(AuthGateContent(.signedIn(AuthUser(id: "1002"), .verified)) != .signedIn(user))
    }
}
