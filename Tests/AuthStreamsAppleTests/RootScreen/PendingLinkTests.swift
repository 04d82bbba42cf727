import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsApple

@Suite struct PendingLinkTests {
    private let post = URL(literal: "pulseboard://posts/7")
    private let ada = AuthUser(id: "ada")
    private let bob = AuthUser(id: "bob")

    private func state(of user: AuthUser?) -> AuthState { user.map { .signedIn($0, .verified) } ?? .signedOut(nil) }

    @Test func linkBeforeALoginIsForTheNextUserAndOpenedOnce() {
        var link = PendingLink()
        link.arrived(post, in: state(of: nil))
        #expect(link.url == post)
        #expect(link.opened(by: ada.id, in: state(of: ada)) == post)
        #expect(link.url == nil && link.opened(by: ada.id, in: state(of: ada)) == nil)
    }

    @Test func linkForAUserIsDroppedBeforeTheContentOfAnother() {
        var link = PendingLink()
        link.arrived(post, in: state(of: ada))
        #expect(link.opened(by: bob.id, in: state(of: bob)) == nil)
        #expect(link.url == nil)
    }

    @Test func linkOfAContentThatBeganIsForItsUser() {
        var link = PendingLink()
        link.arrived(post, in: state(of: nil))
        link.contentBegan(of: ada.id)
        link.contentBegan(of: bob.id)
        #expect(link.url == nil)
    }

    /// The content of a user is still shown, who has left.
    @Test func linkStaysWhileTheUserOfTheContentHasLeft() {
        var link = PendingLink()
        link.arrived(post, in: state(of: nil))
        #expect(link.opened(by: ada.id, in: state(of: nil)) == nil)
        #expect(link.url == post)
    }

    @Test func laterLinkReplacesTheOneThatWaits() {
        var link = PendingLink()
        let later = URL(literal: "pulseboard://posts/8")
        link.arrived(post, in: state(of: ada))
        link.arrived(later, in: state(of: nil))
        #expect(link.opened(by: bob.id, in: state(of: bob)) == later)
    }
}
