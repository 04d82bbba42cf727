import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsApple

/// For whom a link is that arrives before the content of a user is shown.
@Suite struct PendingLinkTests {
    private let post = URL(literal: "pulseboard://posts/7")
    private var link = PendingLink()

    private func signedIn(_ id: AuthUser.ID) -> AuthState { .signedIn(AuthUser(id: id), .verified) }

    @Test(arguments: [
        AuthState.restoring(.reading), .restoring(.waitingForUnlock), .signedOut(nil), .signedOut(.expired),
        .signingIn(.kakao, .presenting),
    ])
    mutating func linkWithoutAUserIsForTheNextOne(state: AuthState) {
        link.arrived(post, in: state)
        #expect(link.url == post)
        #expect(link.opened(by: "1", in: signedIn("1")) == post)
        #expect(link.url == nil && link.opened(by: "1", in: signedIn("1")) == nil)
    }

    @Test mutating func linkOfAUserIsDroppedForAnother() {
        link.arrived(post, in: signedIn("1"))
        #expect(link.opened(by: "2", in: signedIn("2")) == nil)
        #expect(link.url == nil && link.opened(by: "1", in: signedIn("1")) == nil)
    }

    @Test mutating func linkIsForTheUserWhoseContentBeganFirst() {
        link.arrived(post, in: .signedOut(nil))
        link.contentBegan(of: "1")
        link.contentBegan(of: "1")
        #expect(link.url == post)
        link.contentBegan(of: "2")
        #expect(link.url == nil)
    }

    /// Their content is still shown.
    @Test(arguments: [AuthState.signedOut(.revoked), .signedIn(AuthUser(id: "2"), .verified)])
    mutating func linkIsNotOpenedByAUserWhoLeft(state: AuthState) {
        link.arrived(post, in: state)
        #expect(link.opened(by: "1", in: state) == nil)
        #expect(link.opened(by: "2", in: signedIn("2")) == post)
    }

    @Test mutating func furtherLinkReplacesTheFirstAndIsForItsOwnUser() {
        let other = URL(literal: "pulseboard://posts/8")
        link.arrived(post, in: signedIn("1"))
        link.arrived(other, in: .signedOut(.user))
        #expect(link.opened(by: "2", in: signedIn("2")) == other)
    }

    @Test mutating func contentWithoutALinkClaimsNoLaterOne() {
        link.contentBegan(of: "1")
        link.arrived(post, in: .signedOut(nil))
        #expect(link.opened(by: "2", in: signedIn("2")) == post)
    }
}
