import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The transitions of a session that is taken over from another SDK.
@Suite struct AdoptionRulesTests {
    private static let ada = Session.sample(user: "ada")
    private static let bob = Session.sample(user: "bob")
    private static let nameless = AdoptableSession(refreshToken: Secret("old"))
    private static let adas = AdoptableSession(refreshToken: Secret("old"), user: ada.user)
    private static let noon = Date(timeIntervalSince1970: 1_000_000)

    /// One thing that happens to the machine. Answers belong to the adoption that began last.
    enum Fact: Sendable {
        case restored(KeptSession?)
        case adopt(AdoptableSession)
        case delayed, stalled
        case answered(Session)
        case refused(SignOutReason)
        case begin(ProviderID)
        case establish(Session, attempt: UInt64)
        case signOut
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [Fact]
        let states: [AuthState]
        let kept: KeptSession?

        init(_ name: String, _ facts: [Fact], _ states: [AuthState], keeps kept: KeptSession?) {
            testDescription = name
            self.facts = facts
            self.states = states
            self.kept = kept
        }
    }

    private static let adopting = AuthState.restoring(.adopting)

    static let rows: [Row] = [
        Row(
            "without a known user nobody knows until the server answered", [.adopt(nameless), .answered(ada)],
            [adopting, .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "a known user is signed in from the start", [.adopt(adas), .answered(ada)],
            [.signedIn(ada.user, .cached), .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "without a network a known user stays signed in, and since when is said once",
            [.adopt(adas), .delayed, .delayed, .answered(ada)],
            [
                .signedIn(ada.user, .cached), .signedIn(ada.user, .offline(since: noon)),
                .signedIn(ada.user, .offline(since: noon)), .signedIn(ada.user, .verified),
            ], keeps: .established(ada)),
        Row(
            "without a network an unknown user is not signed out", [.adopt(nameless), .delayed], [adopting, adopting],
            keeps: .adoptable(nameless)),
        Row(
            "what asking again would not help keeps the session to adopt", [.adopt(nameless), .stalled],
            [adopting, .signedOut(nil)], keeps: .adoptable(nameless)),
        Row(
            "and signs no known user out", [.adopt(adas), .stalled],
            [.signedIn(ada.user, .cached), .signedIn(ada.user, .cached)], keeps: .adoptable(adas)),
        Row(
            "a server that answers after all is believed", [.adopt(nameless), .stalled, .delayed, .answered(ada)],
            [adopting, .signedOut(nil), adopting, .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "the server's no ends it", [.adopt(nameless), .refused(.disabled)], [adopting, .signedOut(.disabled)],
            keeps: nil),
        Row(
            "also for a known user", [.adopt(adas), .refused(.expired)],
            [.signedIn(ada.user, .cached), .signedOut(.expired)], keeps: nil),
        Row(
            "a second answer changes nothing", [.adopt(nameless), .refused(.deleted), .answered(ada)],
            [adopting, .signedOut(.deleted), .signedOut(.deleted)], keeps: nil),
        Row(
            "an adoption that was stored goes on", [.restored(.adoptable(adas)), .answered(ada)],
            [.signedIn(ada.user, .cached), .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "nothing is adopted while somebody is signed in",
            [.restored(.established(bob)), .adopt(adas), .answered(ada)],
            [.signedIn(bob.user, .cached), .signedIn(bob.user, .cached), .signedIn(bob.user, .cached)],
            keeps: .established(bob)),
        Row(
            "the same session again does not begin anew", [.adopt(nameless), .adopt(nameless), .answered(ada)],
            [adopting, adopting, .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "a sign-in wins over an adoption that is not decided",
            [.adopt(nameless), .begin(.kakao), .establish(bob, attempt: 1), .answered(ada)],
            [
                adopting, .signingIn(.kakao, .presenting), .signedIn(bob.user, .verified),
                .signedIn(bob.user, .verified),
            ], keeps: .established(bob)),
        Row(
            "an adoption's no does not end a sign-in that is under way",
            [.adopt(nameless), .begin(.kakao), .refused(.expired), .establish(bob, attempt: 1)],
            [
                adopting, .signingIn(.kakao, .presenting), .signingIn(.kakao, .presenting),
                .signedIn(bob.user, .verified),
            ], keeps: .established(bob)),
        Row(
            "a sign-out ends an adoption, and its answer comes too late", [.adopt(nameless), .signOut, .answered(ada)],
            [adopting, .signedOut(nil), .signedOut(nil)], keeps: nil),
        Row(
            "a known user who signs out has signed out", [.adopt(adas), .signOut, .answered(ada)],
            [.signedIn(ada.user, .cached), .signedOut(.user), .signedOut(.user)], keeps: nil),
    ]

    @Test(arguments: rows) func statesFollowFromFacts(row: Row) {
        var machine = SessionMachine()
        var adoption = machine.generation
        let states = row.facts.map { fact in
            switch fact {
            case .restored(let kept):
                _ = machine.restored(kept, in: machine.generation)
                adoption = machine.generation
            case .adopt(let session):
                adoption = machine.adoptionBegan(session, in: machine.generation) ?? adoption
            case .delayed: machine.adoptionDelayed(at: Self.noon, in: adoption)
            case .stalled: machine.adoptionStalled(in: adoption)
            case .answered(let session): _ = machine.adopted(session, in: adoption)
            case .refused(let reason): _ = machine.adoptionRefused(reason, in: adoption)
            case .begin(let provider): _ = machine.attemptBegan(with: provider, at: .presenting)
            case .establish(let session, let id): _ = machine.sessionEstablished(session, by: id)
            case .signOut: _ = machine.signedOut(.user)
            }
            return machine.state
        }
        #expect(states == row.states)
        #expect(machine.kept == row.kept)
    }

    @Test func whatIsSaidOfAnEarlierAdoptionChangesNothing() throws {
        var machine = SessionMachine()
        let begun = machine.adoptionBegan(Self.nameless, in: machine.generation)
        let first = try #require(begun)
        let newer = AdoptableSession(refreshToken: Secret("newer"))
        let begunAgain = machine.adoptionBegan(newer, in: first)
        let second = try #require(begunAgain)
        let hasCounted = (machine.adopted(Self.ada, in: first), machine.adoptionRefused(.expired, in: first))
        machine.adoptionStalled(in: first)
        #expect(hasCounted == (false, false))
        #expect(machine.state == Self.adopting)
        #expect(machine.kept == .adoptable(newer))
        _ = machine.adoptionRefused(.expired, in: second)
        #expect(machine.generation > second)
    }

    @Test(arguments: [nameless, adas]) func whatIsToBeAdoptedIsReadBackAsItWasWritten(session: AdoptableSession) throws
    {
        #expect(try SessionRecord.kept(in: SessionRecord(session).data()) == .adoptable(session))
    }

    @Test(arguments: ["", "   ", "to\nken", "tok\u{e9}n", "\u{0}"]) func aTokenThatIsNoneIsRefused(token: String) {
        #expect(throws: AuthError.self) { try AdoptableSession(refreshToken: Secret(token)).validate() }
    }
}
