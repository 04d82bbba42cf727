import AuthStreams

/// The states of a service, without the service.
struct StatesChannel: Channel {
    private let broadcast: Broadcast<AuthState>
    private let states: AuthStates

    init() {
        broadcast = Broadcast(AuthState.sample(0))
        states = AuthStates(broadcast)
    }

    func send(_ element: AuthState) { broadcast.send(element) }

    func read(_ body: (AuthState) -> Bool) async {
        for await element in states {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> AuthStates.AsyncIterator { states.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

extension Contestant where Ours == StatesChannel {
    static var states: Self {
        Contestant(prefix: "states-", title: "AuthStates", make: { StatesChannel() })
    }
}

extension AuthState: Sample {
    private static let samples: [AuthState] = [
        .signedOut(nil), .signingIn(.kakao, .presenting), .signingIn(.kakao, .establishingSession),
        .signedIn(AuthUser(id: "kakao:1001"), .verified),
    ]

    static func sample(_ turn: Int) -> AuthState { samples[turn % samples.count] }

    static let last = AuthState.signedOut(.deleted)

    var isLast: Bool {
        if case .signedOut(.deleted) = self { true } else { false }
    }
}
