/// Whether the app is in front of the person, as a ``SessionGate`` needs to know it: to ask them, and to measure the time away.
///
/// | the app | give |
/// | --- | --- |
/// | runs on an Apple system | what `AuthPlatform.app` has: it follows the notifications of the system |
/// | is always in front, such as a command | ``always`` |
/// | knows by itself, such as on watchOS by SwiftUI's `ScenePhase` | one of its own, which it moves |
///
/// ```swift
/// let activity = AppActivity()
/// activity.move(to: .active)       // the app is in front: the person may be asked
/// activity.move(to: .background)   // the time away begins
/// ```
public final class AppActivity: Sendable {
    /// Where the app is.
    public enum Phase: String, Hashable, Sendable, Codable {
        /// The person does not see the app. The system may have launched it without them.
        case background
        /// The person sees the app and does not use it, as on its way to the front or below a system dialog. The person is not asked.
        case inactive
        /// The app is in front. The person may be asked.
        case active
    }

    /// Receives changes.
    ///
    /// - Returns: Whether it is to receive the next one.
    package typealias Observer = @Sendable () -> Bool

    private struct State {
        var phase: Phase
        var observers: [Int: Observer] = [:]
        var lastID = 0
    }
    private let state: Lock<State>

    /// Makes an activity.
    ///
    /// - Parameter phase: The phase until ``move(to:)`` is called; the background unless given.
    public init(_ phase: Phase = .background) { state = Lock(State(phase: phase)) }

    /// An app that is always in front.
    public static var always: AppActivity { AppActivity(.active) }

    /// The phase now.
    public var phase: Phase { state.withLock { $0.phase } }

    /// Moves the app to a phase. Services have taken note of it when the call returns: a process may be suspended right after it.
    public func move(to phase: Phase) {
        let observers = state.withLock { state in
            guard state.phase != phase else { return [Int: Observer]() }
            state.phase = phase
            return state.observers
        }
        let released = observers.filter { !$0.value() }
        if !released.isEmpty { state.withLock { state in for id in released.keys { state.observers[id] = nil } } }
    }

    /// Calls an observer after each change. It reads ``phase``, so that the order of its calls does not matter.
    package func observe(_ observer: @escaping Observer) {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
        }
    }
}
