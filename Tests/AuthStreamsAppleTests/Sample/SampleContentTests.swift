import AuthStreams
import AuthStreamsApple
import Foundation
import Testing

@testable import PulseBoardKit

/// What the sample app's screens say in each state.
@MainActor struct SampleContentTests {
    @Test(arguments: [
        (SignOutReason.user, false), (.deleted, false), (.elsewhere, false), (.expired, true),
        (.refreshInterrupted, true), (.keyLost, true), (.revoked, true), (.revokedAtProvider, true), (.disabled, true),
    ])
    func reasonOfASignOutIsToldUnlessThePersonChoseIt(reason: SignOutReason, isTold: Bool) {
        #expect((LoginContent(.signedOut(reason)).notice != nil) == isTold)
    }

    @Test func personWhoWasNeverSignedInIsToldNothing() {
        #expect(
            LoginContent(.signedOut(nil)).notice == nil && LoginContent(.signingIn(.kakao, .presenting)).notice == nil)
    }

    @Test func freshnessOfTheSessionIsSaid() {
        let user = AuthPreview.user
        func line(_ freshness: AuthState.Freshness) -> String? {
            HomeContent.notice(of: .signedIn(user, freshness))
        }
        #expect(line(.verified) == nil)
        #expect(line(.cached) == "Checking your session …")
        #expect(line(.offline(since: Date(timeIntervalSince1970: 0)))?.hasPrefix("Offline since ") == true)
    }

    @Test(arguments: [
        ("pulseboard://posts/7", Link.post("7")), ("pulseboard://posts/", .unknown("pulseboard://posts/")),
        ("pulseboard://posts/7/8", .unknown("pulseboard://posts/7/8")),
        ("pulseboard://users/7?secret=1", .unknown("pulseboard://users/7")),
    ])
    func linksAreRead(text: String, link: Link) throws {
        #expect(Link(try #require(URL(string: text))) == link)
    }
}
