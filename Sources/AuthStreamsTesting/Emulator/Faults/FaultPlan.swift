import AuthStreams

/// The pending faults, in order.
final class FaultPlan: Sendable {
    /// The faults, and what a configuration says of them.
    private let planned = Lock<[(fault: EmulatorFault, setting: EmulatorConfiguration.Fault)]>([])

    func add(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint, times: EmulatorFault.Times) {
        planned.withLock { $0.append((fault, EmulatorConfiguration.Fault(fault, at: endpoint, times: times))) }
    }

    func clear() { planned.withLock { $0.removeAll() } }

    /// The faults, also those that a configuration cannot have.
    var all: [EmulatorConfiguration.Fault] { planned.withLock { $0.map(\.setting) } }

    /// Applies the difference of two lists to the faults that are left. Those that a configuration cannot have stay.
    ///
    /// - Parameter known: The first list; `nil` for the faults that are left.
    func replace(_ known: [EmulatorConfiguration.Fault]?, by faults: [EmulatorConfiguration.Fault]) {
        planned.withLock { planned in
            let known = (known ?? planned.map(\.setting)).filter { $0.fault != nil }
            let difference = faults.difference(from: known)
            for case .remove(_, let setting, _) in difference {
                planned.firstIndex { $0.setting == setting }.map { _ = planned.remove(at: $0) }
            }
            for case .insert(let place, let setting, _) in difference {
                let next = planned.indices.filter { planned[$0].setting.fault != nil }.dropFirst(place).first
                setting.fault.map { planned.insert(($0, setting), at: next ?? planned.count) }
            }
        }
    }

    /// How many faults were not met by a request yet, or happen for every request.
    var count: Int { planned.withLock { $0.count } }

    /// Removes and returns the first fault that matches the request.
    func next(for request: EmulatorRequest) -> EmulatorFault? {
        planned.withLock { planned in
            planned.firstIndex { $0.setting.endpoint.matches(host: request.host, path: request.path) }.map { index in
                planned[index].setting.times == .once ? planned.remove(at: index).fault : planned[index].fault
            }
        }
    }
}

extension EmulatorConfiguration {
    /// A fault that a configuration plans.
    struct Fault: Hashable, Sendable {
        var name = ""
        var value = AuthJSON.null
        var endpoint = EmulatorEndpoint(host: "")
        var times = EmulatorFault.Times.once

        /// Such as `status 503`.
        var title: String { value == .null ? name : "\(name) \(value.words)" }

        init() {}

        init(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint = "", times: EmulatorFault.Times = .once) {
            (name, value, self.endpoint, self.times) = (fault.name, fault.value, endpoint, times)
        }

        /// The fault; `nil` if there is none of that name that takes the value, such as one that a test has made of a closure.
        var fault: EmulatorFault? {
            let plain: [String: EmulatorFault] = [
                "dropConnection": .dropConnection, "html": .html, "empty": .empty, "malformedJSON": .malformedJSON,
                "wrongNonce": .wrongNonce, "wrongAudience": .wrongAudience, "wrongIssuer": .wrongIssuer,
                "expiredToken": .expiredToken, "unsignedToken": .unsignedToken, "wrongSignature": .wrongSignature,
            ]
            if value == .null { return plain[name] }
            if name == "error" { return value.string.map { .error($0) } }
            var number = 0.0
            guard (try? number.take(value)) != nil, let whole = Int(exactly: number.rounded()) else { return nil }
            let (isWhole, seconds) = (number == Double(whole), Duration.seconds(number))
            return switch name {
            case "status" where isWhole && (200...599).contains(whole): .status(whole)
            case "truncated" where isWhole && whole >= 0: .truncated(afterBytes: whole)
            case "oversized" where isWhole && (0...100_000_000).contains(whole): .oversized(bytes: whole)
            case "delayed" where number >= 0: .delayed(by: seconds)
            case "rateLimited" where number >= 0: .rateLimited(retryAfter: seconds)
            case "clockSkew" where isWhole: .clockSkew(seconds)
            default: nil
            }
        }
    }
}
