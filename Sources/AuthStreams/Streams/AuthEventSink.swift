/// A destination of all events, from the first one on: a log, a metric.
///
/// ```swift
/// let auth = AuthService(
///     repository: repository, providers: providers, store: store, callbacks: callbacks,
///     sinks: [.log, .metrics { event in count(event.kind, took: event.elapsed) }])
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | first event | the first of the service, including the restoration at launch |
/// | lost, repeated, reordered? | never within the bound of ``AuthEvents``; past it the sink receives ``AuthEvent/Kind/eventsMissed`` |
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
    /// Count ``AuthEvent/kind`` and the code of ``AuthEvent/failure``, and observe ``AuthEvent/elapsed``; they hold no personal data.
    public static func metrics(_ receive: @escaping @Sendable (AuthEvent) -> Void) -> Self { Self(receive) }

    func deliver(_ event: AuthEvent) { receive(event) }

    /// Passes events on until they end, in a task of its own.
    ///
    /// Events sent after this returned are not missed, although the task may start later.
    func follow(_ events: AuthEvents) {
        let place = Lock(Optional(events.makeAsyncIterator()))
        // The task is never cancelled: it ends with the events, and holds nothing else.
        _ = TaskSpawner.start {
            guard var iterator = place.withLock({ $0.take() }) else { return }
            while let event = await iterator.next() {
                if iterator.skipped > 0 { deliver(AuthEvent(.eventsMissed, details: .missed(iterator.skipped))) }
                deliver(event)
            }
        }
    }
}
