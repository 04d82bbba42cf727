import AuthStreams
import AuthStreamsTesting
import Testing

/// The projection 'who is signed in', as screens see it.
@Suite struct AuthUsersTimelineTests {
    private static let ada = AuthUser(id: "ada")
    private static let renamed = AuthUser(id: "ada", displayName: "Ada")
    private static let bob = AuthUser(id: "bob")

    /// `r` reading, `l` locked, `p` adopting, `o` signed out, `e` expired, `i` signing in, `a` Ada from storage, `v` verified,
    /// `n` with a name, `b` Bob.
    private let states: TimelineAlphabet<AuthState> = [
        "r": .restoring(.reading), "l": .restoring(.waitingForUnlock), "p": .restoring(.adopting),
        "o": .signedOut(nil), "e": .signedOut(.expired), "i": .signingIn(.kakao, .presenting),
        "a": .signedIn(ada, .cached), "v": .signedIn(ada, .verified), "n": .signedIn(renamed, .verified),
        "b": .signedIn(bob, .verified),
    ]

    /// `0` no user, else as above.
    private let users: TimelineAlphabet<AuthUser?> = ["0": nil, "a": ada, "n": renamed, "b": bob]

    private func play(_ picture: String, from first: AuthState, readers: [String]) throws {
        try specify(picture) { rows in
            let broadcast = Broadcast(first, limit: 3)
            rows.write("states", as: states, to: broadcast)
            for name in readers {
                rows.output(name, AuthStates(broadcast).users, as: users, skipped: \.skipped)
            }
        }
    }

    @Test func noUserIsSignedOutBeforeStorageWasRead() throws {
        try play(
            """
            states   --l--p--a--v---|
            users    --------a------|
            late          ---a------|
            """, from: .restoring(.reading), readers: ["users", "late"])
    }

    @Test func aSignInThatBeginsBeforeStorageWasReadSaysNothingOfWhoIsSignedIn() throws {
        try play(
            """
            states   -i-p-i-a-e-i-o-|
            users    -------a-0-----|
            """, from: .restoring(.reading), readers: ["users"])
    }

    @Test func repeatsAreDroppedAndChangesAreNot() throws {
        try play(
            """
            states   -i-a-v-n-e-i-o-b|
            users    0--a---n-0-----b|
            late               0----b|
            busy     0####a#n-0-----b|
            """, from: .signedOut(nil), readers: ["users", "late", "busy"])
    }

    @Test func aReaderPastTheLimitJumpsToThePresentAndSaysHowManyStatesItMissed() throws {
        try play(
            """
            states   -iavn--------b|
            busy     0#####(~3n)--b|
            """, from: .signedOut(nil), readers: ["busy"])
    }

    @Test func aGapBeforeARepeatIsCountedWithTheNextUser() throws {
        try play(
            """
            states   -iaoe--------b----|
            busy     0#####-------(~3b)|
            """, from: .signedOut(nil), readers: ["busy"])
    }

    @Test func cancellingAReaderEndsItAlone() throws {
        try specify(
            """
            states   -i-a-v-n-e|
            users    0--a---n-0|
            other    0--a---n-0|
            """, cancelling: "users"
        ) { rows in
            let broadcast = Broadcast(AuthState.signedOut(nil))
            rows.write("states", as: states, to: broadcast)
            for name in ["users", "other"] { rows.output(name, AuthStates(broadcast).users, as: users) }
        }
    }
}
