import AuthStreams
import AuthStreamsTesting
import Testing

/// The two broadcasts of a service, as their readers see them.
@Suite struct AuthStatesTimelineTests {
    /// `r` restoring, `o` signed out, `i` signing in, `e` expired.
    private let states: TimelineAlphabet<AuthState> = [
        "r": .restoring(.reading), "o": .signedOut(nil), "i": .signingIn(.kakao, .presenting),
        "e": .signedOut(.expired),
    ]

    private let events: TimelineAlphabet<AuthEvent> = [
        "f": AuthEvent(.signInFailed), "s": AuthEvent(.signInSucceeded), "o": AuthEvent(.signedOut),
    ]

    @Test func everyScreenBeginsWithTheStateOfThatMoment() throws {
        try specify(
            """
            service  -o--i---o-e----|
            root     ro--i---o-e----|
            login         i--o-e----|
            busy     r#####o#i#o#e--|
            latest   r#####i#o-e----|
            """
        ) { rows in
            let broadcast = Broadcast(AuthState.restoring(.reading))
            rows.write("service", as: states, to: broadcast)
            for name in ["root", "login", "busy"] {
                rows.output(name, AuthStates(broadcast), as: states, skipped: \.skipped)
            }
            rows.output("latest", AuthStates(broadcast).latest, as: states)
        }
    }

    @Test func cancelledScreenEndsAlone() throws {
        try specify(
            """
            service  -o--i---o-e----|
            screen   ro--i---o-e----|
            other    ro--i---o-e----|
            """, cancelling: "screen"
        ) { rows in
            let broadcast = Broadcast(AuthState.restoring(.reading))
            rows.write("service", as: states, to: broadcast)
            rows.output("screen", AuthStates(broadcast), as: states)
            rows.output("other", AuthStates(broadcast), as: states)
        }
    }

    @Test func logGetsTheEventsThatComeAfterIt() throws {
        try specify(
            """
            service  -f--s---o---|
            early    -f--s---o---|
            late         s---o---|
            later         ---o---|
            busy     -f#####s#o--|
            """, cancelling: "early"
        ) { rows in
            let broadcast = Broadcast<AuthEvent>()
            rows.write("service", as: events, to: broadcast)
            for name in ["early", "late", "later", "busy"] {
                rows.output(name, AuthEvents(broadcast), as: events, skipped: \.skipped)
            }
        }
    }
}
