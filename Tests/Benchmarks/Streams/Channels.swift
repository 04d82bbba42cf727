import AuthStreams

/// One writer's elements for many readers: what ours and the baselines have in common.
///
/// Each channel writes its loop out in terms of its own concrete type, as an app would.
protocol Channel<Element>: Sendable {
    associatedtype Element: Sample
    associatedtype Iterator

    func send(_ element: Element)

    /// Reads in the calling task and on its actor, until the channel ends, the task is cancelled, or the body returns
    /// `false`.
    func read(_ body: (Element) -> Bool) async

    /// Subscribes without reading.
    func makeIterator() -> Iterator

    func finish()
}

/// One of ours.
protocol Contestant: Channel {
    /// The beginning of the identifiers of its rows; empty for the main one.
    static var prefix: String { get }
    /// Its name in the table.
    static var title: String { get }

    init()
}

/// An element that can be made in numbers.
protocol Sample: Equatable, Sendable {
    /// The element to send in that turn. Making it costs next to nothing.
    static func sample(_ turn: Int) -> Self
    /// An element that no turn has.
    static var last: Self { get }
}

/// A broadcast of numbers, as an app uses it.
struct BroadcastChannel: Contestant {
    static let prefix = ""
    static let title = "Broadcast<Int>"
    private let broadcast = Broadcast(0)

    func send(_ element: Int) { broadcast.send(element) }

    func read(_ body: (Int) -> Bool) async {
        for await element in broadcast {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> Broadcast<Int>.Iterator { broadcast.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

/// The conflating view of a broadcast of numbers.
struct LatestChannel: Contestant {
    static let prefix = "latest-"
    static let title = "Broadcast<Int>.latest"
    private let broadcast = Broadcast(0)

    func send(_ element: Int) { broadcast.send(element) }

    func read(_ body: (Int) -> Bool) async {
        for await element in broadcast.latest {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> Broadcast<Int>.Latest.Iterator { broadcast.latest.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

/// The states of a service, without the service.
struct StatesChannel: Contestant {
    static let prefix = "states-"
    static let title = "AuthStates"
    private let broadcast = Broadcast(AuthState.sample(0))
    private let states: AuthStates

    init() { states = AuthStates(broadcast) }

    func send(_ element: AuthState) { broadcast.send(element) }

    func read(_ body: (AuthState) -> Bool) async {
        for await element in states {
            guard body(element) else { return }
        }
    }

    func makeIterator() -> AuthStates.AsyncIterator { states.makeAsyncIterator() }

    func finish() { broadcast.finish() }
}

extension Int: Sample {
    static func sample(_ turn: Int) -> Int { turn }
    static let last = Int.max
}

extension AuthState: Sample {
    private static let samples: [AuthState] = [
        .signedOut(nil), .signingIn(.kakao, .presenting), .signingIn(.kakao, .establishingSession),
        .signedIn(AuthUser(id: "kakao:1001"), .verified),
    ]

    static func sample(_ turn: Int) -> AuthState { samples[turn % samples.count] }

    static let last = AuthState.signedOut(.deleted)
}
