import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The transitions of the session of another SDK.
@Suite struct AdoptionRulesTests {
    private static let ada = AuthSession.sample(user: "ada")
    private static let bob = AuthSession.sample(user: "bob")
    private static let nameless = AdoptableSession(refreshToken: Secret("old"))
    private static let adas = AdoptableSession(refreshToken: Secret("old"), user: ada.user)
    private static let noon = Date(timeIntervalSince1970: 1_000_000)
    private static let moment = Timestamp(date: noon, uptime: .zero)
    private static let network = AuthError(.network, "Scripted.")
    /// Asking again would not help.
    private static let useless = AuthError(.unsupportedProvider, "Scripted.")

    /// One thing that happens to the machine. Answers belong to the adoption that began last.
    enum Fact: Sendable {
        case restored(KeptSession?)
        case adopt(AdoptableSession)
        case delayed, stalled
        case answered(AuthSession)
        case refused(SignOutReason)
        case begin(ProviderID)
        case establish(AuthSession, attempt: Int)
        case signOut
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [Fact]
        let states: [AuthState]
        let kept: KeptSession.Content?

        init(_ name: String, _ facts: [Fact], _ states: [AuthState], keeps kept: KeptSession.Content?) {
            testDescription = name
            self.facts = facts
            self.states = states
            self.kept = kept
        }
    }

    private static let adopting = AuthState.restoring(.adopting)

    static let rows: [Row] = [
        Row(
            "without a known user the state is unknown until the server answered", [.adopt(nameless), .answered(ada)],
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
            [.signedIn(ada.user, .cached), .signedIn(ada.user, .offline(since: noon))], keeps: .adoptable(adas)),
        Row(
            "a server that answers after all is believed", [.adopt(nameless), .stalled, .delayed, .answered(ada)],
            [adopting, .signedOut(nil), .signedOut(nil), .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "the app asks again for one that had stalled", [.adopt(nameless), .stalled, .adopt(nameless)],
            [adopting, .signedOut(nil), adopting], keeps: .adoptable(nameless)),
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
            "an adoption that was stored resumes", [.restored(KeptSession(adas)), .answered(ada)],
            [.signedIn(ada.user, .cached), .signedIn(ada.user, .verified)], keeps: .established(ada)),
        Row(
            "nothing is adopted while a user is signed in",
            [.restored(KeptSession(bob)), .adopt(adas), .answered(ada)],
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
        var machine = SessionStateMachine()
        var begun: [SignInOperation] = []
        var request: RefreshRequest?
        let states = row.facts.map { fact in
            // Each answer belongs to a request, which was sent before the fact.
            if machine.session == nil, let next = machine.requestBegan() { request = next }
            switch fact {
            case .restored(let kept): machine.restored(kept)
            case .adopt(let session): machine.adopted(session)
            case .delayed: machine.failed(request, with: Self.network, at: Self.moment)
            case .stalled: machine.failed(request, with: Self.useless, at: Self.moment)
            case .answered(let session): machine.answered(session, to: request, at: Self.moment)
            case .refused(let reason):
                if let request { _ = machine.refreshRejected(request, reason, because: Self.network, at: .zero) }
            case .begin(let provider): begun.append(machine.began(provider))
            case .establish(let session, let number): _ = machine.established(session, by: begun[number - 1])
            case .signOut: machine.signedOut(for: .user)
            }
            return machine.authState
        }
        #expect(states == row.states)
        #expect(machine.kept?.content == row.kept)
    }

    @Test func whatIsSaidOfAnEarlierAdoptionChangesNothing() throws {
        var machine = SessionStateMachine()
        machine.adopted(Self.nameless)
        let firstRequest = machine.requestBegan()
        let first = try #require(firstRequest)
        let newer = AdoptableSession(refreshToken: Secret("newer"))
        machine.adopted(newer)
        let secondRequest = machine.requestBegan()
        let second = try #require(secondRequest)
        let hasCounted = (
            machine.answerArrived(Self.ada, to: first, at: Self.moment),
            machine.refreshRejected(first, .expired, because: Self.network, at: .zero)
        )
        machine.failed(first, with: Self.useless, at: Self.moment)
        #expect(hasCounted == (false, false))
        #expect(machine.authState == Self.adopting)
        #expect(machine.kept?.content == .adoptable(newer))
        _ = machine.refreshRejected(second, .expired, because: Self.network, at: .zero)
        #expect(machine.kept == nil)
    }

    /// A known user was shown as signed in, so their end is told.
    @Test(arguments: [nameless, adas]) func rejectionIsToldAsTheEndOfAKnownUser(session: AdoptableSession) throws {
        var machine = SessionStateMachine()
        machine.adopted(session)
        let request = machine.requestBegan()
        _ = machine.takeEffects()
        _ = machine.refreshRejected(try #require(request), .revoked, because: Self.network, at: .zero)
        let events = machine.takeEvents()
        #expect(events.map(\.kind) == [.adoptionRefused] + (session.user == nil ? [] : [.signedOut]))
        #expect(events.allSatisfy { $0.failure?.code == .network })
        #expect(machine.authState == .signedOut(.revoked))
    }

    @Test(arguments: [nameless, adas]) func whatIsToBeAdoptedIsReadBackAsItWasWritten(session: AdoptableSession) throws
    {
        #expect(try SessionRecord.content(of: SessionRecord(session).data()) == .adoptable(session))
    }

    @Test(arguments: ["", "   ", "to\nken", "tok\u{e9}n", "\u{0}"]) func aTokenThatIsNoneIsRefused(token: String) {
        #expect(throws: AuthError.self) { try AdoptableSession(refreshToken: Secret(token)).validate() }
    }
}

extension SessionStateMachine {
    /// Begins a refresh, whose request is under way from then on; `nil` where there is none to begin.
    fileprivate mutating func requestBegan() -> RefreshRequest? {
        guard active != nil, let refresh = refreshBegan() else { return nil }
        return request(for: refresh)
    }

    /// The refresh of a request failed.
    fileprivate mutating func failed(_ request: RefreshRequest?, with error: AuthError, at now: Timestamp) {
        if let refresh = request?.refresh { refreshEnded(refresh, .failure(error), at: now) }
    }

    /// The answer to a request was read and stored.
    fileprivate mutating func answered(_ answer: AuthSession, to request: RefreshRequest?, at now: Timestamp) {
        guard let request, answerArrived(answer, to: request, at: now) else { return }
        write()
        _ = answerSettled(answer, to: request, nil, at: now)
    }
}
