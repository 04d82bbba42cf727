import Dispatch

/// A dispatch source that any thread may cancel.
///
/// Unchecked: nothing but `cancel` is called on the source, and dispatch objects take calls from every thread. Not every
/// system's Dispatch says so.
struct EventSource: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    /// Starts the source.
    ///
    /// - Parameters:
    ///   - onEvent: What happens at each event.
    ///   - onCancel: What happens when no event comes any more, such as closing the file.
    init(
        _ source: any DispatchSourceProtocol, onEvent: @escaping @Sendable () -> Void,
        onCancel: @escaping @Sendable () -> Void
    ) {
        self.source = source
        source.setEventHandler(handler: onEvent)
        source.setCancelHandler(handler: onCancel)
        source.activate()
    }

    /// Ends it: no event after the one that is being handled now, then the cancel handler, once.
    func cancel() { source.cancel() }
}
