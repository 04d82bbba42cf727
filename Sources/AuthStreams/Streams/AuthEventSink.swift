/// Somewhere events go, from the very first one: a log, a metric.
///
/// ```swift
/// let auth = AuthService(
///     repository: repository, providers: providers, store: store, callbacks: callbacks,
///     sinks: [.log, .metrics { event in count(event.kind, took: event.elapsed) }])
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | first event | the first there is, the restoring at launch included |
/// | lost, repeated, reordered? | never within the bound of ``AuthEvents``; past it the sink is told with ``AuthEvent/Kind/eventsMissed`` |
/// | where does it run? | in a task of its own, one event at a time; a slow sink delays neither the service nor another sink |
/// | end | after the last event before the service is released. A sink does not keep the service alive |
public struct AuthEventSink: Sendable {
    private let receive: @Sendable (AuthEvent) -> Void

    /// Makes a sink of a closure.
    ///
    /// - Parameter receive: Called with one event at a time, in order, away from the main actor.
    public init(_ receive: @escaping @Sendable (AuthEvent) -> Void) {
        self.receive = receive
    }

    /// The same as ``init(_:)``, for a list of sinks that reads as one.
    ///
    /// Count ``AuthEvent/kind`` and ``AuthEvent/error``, and observe ``AuthEvent/elapsed``; they hold nothing of a person.
    public static func metrics(_ receive: @escaping @Sendable (AuthEvent) -> Void) -> Self { Self(receive) }

    func deliver(_ event: AuthEvent) { receive(event) }

    /// Passes events on until they end, in a task of its own.
    ///
    /// What is sent after this returned is not missed, though the task may start later.
    func follow(_ events: AuthEvents) {
        let place = Lock(Optional(events.makeAsyncIterator()))
        // Nobody cancels it: it ends with the events, and holds nothing else.
        _ = TaskSpawner.start {
            guard var iterator = place.withLock({ $0.take() }) else { return }
            while let event = await iterator.next() {
                if iterator.skipped > 0 { deliver(AuthEvent(.eventsMissed, skipped: iterator.skipped)) }
                deliver(event)
            }
        }
    }
}
