import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

@Suite struct SessionStateMachineTests {
    private static let ada = AuthSession.sample(user: "ada")
    private static let bob = AuthSession.sample(user: "bob")

    /// One thing that happens to the machine, by name.
    enum Fact: Sendable {
        case restored(AuthSession?)
        case locked
        case begin(ProviderID)
        case reach(AuthState.SignInStep, attempt: Int)
        case fail(attempt: Int)
        case establish(AuthSession, attempt: Int)
        case signOut(SignOutReason)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [Fact]
        let states: [AuthState]

        init(_ name: String, _ facts: [Fact], _ states: [AuthState]) {
            testDescription = name
            self.facts = facts
            self.states = states
        }
    }

    static let rows: [Row] = [
        Row("an empty store means signed out", [.restored(nil)], [.signedOut(nil)]),
        Row("a stored session is signed in but not confirmed", [.restored(ada)], [.signedIn(ada.user, .cached)]),
        Row(
            "a locked store is not an empty one", [.locked, .restored(ada)],
            [.restoring(.waitingForUnlock), .signedIn(ada.user, .cached)]),
        Row(
            "a sign-in shows its steps",
            [
                .restored(nil), .begin(.kakao), .reach(.waitingForOtherApp, attempt: 1),
                .reach(.exchanging, attempt: 1),
                .establish(ada, attempt: 1),
            ],
            [
                .signedOut(nil), .signingIn(.kakao, .presenting), .signingIn(.kakao, .waitingForOtherApp),
                .signingIn(.kakao, .exchanging), .signedIn(ada.user, .verified),
            ]),
        Row(
            "a failed sign-in leaves what was before", [.restored(nil), .begin(.naver), .fail(attempt: 1)],
            [.signedOut(nil), .signingIn(.naver, .presenting), .signedOut(nil)]),
        Row(
            "a failed sign-in does not report the sign-out once more",
            [.restored(ada), .signOut(.revoked), .begin(.naver), .fail(attempt: 1)],
            [
                .signedIn(ada.user, .cached), .signedOut(.revoked), .signingIn(.naver, .presenting),
                .signedOut(nil),
            ]),
        Row(
            "a sign-in that fails while storage is locked is no sign-out",
            [.locked, .begin(.apple), .fail(attempt: 1), .restored(ada)],
            [
                .restoring(.waitingForUnlock), .signingIn(.apple, .presenting), .restoring(.waitingForUnlock),
                .signedIn(ada.user, .cached),
            ]),
        Row(
            "a session from storage does not replace one that was just established",
            [.begin(.apple), .establish(bob, attempt: 1), .restored(ada)],
            [.signingIn(.apple, .presenting), .signedIn(bob.user, .verified), .signedIn(bob.user, .verified)]),
        Row(
            "a session from storage does not come back after a sign-out", [.signOut(.user), .restored(ada)],
            [.signedOut(nil), .signedOut(nil)]),
        Row(
            "a second sign-in takes the first one's place",
            [
                .restored(nil), .begin(.kakao), .begin(.naver), .reach(.exchanging, attempt: 1),
                .establish(ada, attempt: 1), .establish(bob, attempt: 2),
            ],
            [
                .signedOut(nil), .signingIn(.kakao, .presenting), .signingIn(.naver, .presenting),
                .signingIn(.naver, .presenting), .signingIn(.naver, .presenting), .signedIn(bob.user, .verified),
            ]),
        Row(
            "the end of a superseded attempt does not touch the new one",
            [.restored(nil), .begin(.kakao), .begin(.naver), .fail(attempt: 1)],
            [
                .signedOut(nil), .signingIn(.kakao, .presenting), .signingIn(.naver, .presenting),
                .signingIn(.naver, .presenting),
            ]),
        Row(
            "a change of user stays signed in until it is decided",
            [.restored(ada), .begin(.google), .reach(.exchanging, attempt: 1), .establish(bob, attempt: 1)],
            [
                .signedIn(ada.user, .cached), .signedIn(ada.user, .cached), .signedIn(ada.user, .cached),
                .signedIn(bob.user, .verified),
            ]),
        Row(
            "a sign-out ends the attempt under way",
            [.restored(nil), .begin(.google), .signOut(.user), .establish(ada, attempt: 1)],
            [.signedOut(nil), .signingIn(.google, .presenting), .signedOut(nil), .signedOut(nil)]),
        Row(
            "signing out says why", [.restored(ada), .signOut(.disabled)],
            [.signedIn(ada.user, .cached), .signedOut(.disabled)]),
        Row(
            "signing out twice keeps the first reason", [.restored(ada), .signOut(.disabled), .signOut(.user)],
            [.signedIn(ada.user, .cached), .signedOut(.disabled), .signedOut(.disabled)]),
    ]

    @Test(arguments: rows) func statesFollowFromFacts(row: Row) {
        var machine = SessionStateMachine()
        #expect(machine.authState == .restoring(.reading))
        var begun: [SignInOperation] = []
        let states = row.facts.map { fact in
            switch fact {
            case .restored(let session): machine.restored(session.map { KeptSession($0) })
            case .locked: machine.locked()
            case .begin(let provider): begun.append(machine.began(provider))
            case .reach(let step, let number): machine.reached(step, in: begun[number - 1], at: .zero)
            case .fail(let number): machine.failed(begun[number - 1])
            case .establish(let session, let number): _ = machine.established(session, by: begun[number - 1])
            case .signOut(let reason): machine.signedOut(for: reason)
            }
            return machine.authState
        }
        #expect(states == row.states)
    }

    @Test func repeatedNewsIsNoNews() {
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        let steps: [AuthState.SignInStep] = [.presenting, .exchanging, .exchanging]
        let news = steps.map { machine.operations.reach($0, operation) }
        #expect(news == [false, true, false])
    }
}

extension AuthSession {
    static func sample(user id: String, token: String = "access") -> AuthSession {
        AuthSession(
            accessToken: Secret("\(token)-of-\(id)"), refreshToken: Secret("refresh-of-\(id)"),
            expiresAt: Date(timeIntervalSince1970: 3600), user: AuthUser(id: id), provider: .kakao)
    }
}
