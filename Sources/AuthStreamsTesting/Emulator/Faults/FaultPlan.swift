import AuthStreams

/// The pending faults, in order.
final class FaultPlan: Sendable {
    private struct Planned {
        let fault: EmulatorFault
        let endpoint: EmulatorEndpoint
        let times: EmulatorFault.Times
    }
    private let planned = Lock<[Planned]>([])

    func add(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint, times: EmulatorFault.Times) {
        planned.withLock { $0.append(Planned(fault: fault, endpoint: endpoint, times: times)) }
    }

    func clear() {
        planned.withLock { $0.removeAll() }
    }

    /// Removes and returns the first fault that matches the request.
    func next(for request: EmulatorRequest) -> EmulatorFault? {
        planned.withLock { planned in
            guard let index = planned.firstIndex(where: { $0.endpoint.matches(host: request.host, path: request.path) })
            else { return nil }
            let first = planned[index]
            if first.times == .once { planned.remove(at: index) }
            return first.fault
        }
    }
}
