import Dispatch

/// A dispatch source that any thread may cancel.
///
/// Unchecked: only `cancel` is called on the source, and dispatch objects are thread-safe. Not every system's Dispatch
/// declares that.
struct EventSource: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    /// Starts the source.
    ///
    /// - Parameters:
    ///   - onEvent: Called for each event.
    ///   - onCancel: Called after the last event, for example to close the file.
    init(
        _ source: any DispatchSourceProtocol, onEvent: @escaping @Sendable () -> Void,
        onCancel: @escaping @Sendable () -> Void
    ) {
        self.source = source
        source.setEventHandler(handler: onEvent)
        source.setCancelHandler(handler: onCancel)
        source.activate()
    }

    /// Cancels the source: no event after the current one, then the cancel handler, once.
    func cancel() { source.cancel() }
}
