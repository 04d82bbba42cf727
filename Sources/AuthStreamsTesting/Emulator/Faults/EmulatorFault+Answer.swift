import AuthStreams
import Foundation
package import LoopbackHTTP

extension EmulatorFault {
    /// How the service invalidates its tokens.
    var token: Token? {
        switch kind {
        case .token(let token): token
        case .clockSkew(let skew): Token { $0.shift(by: skew.components.seconds) }
        default: nil
        }
    }

    /// Runs the closure of a fault that has one for the arrival of a request.
    func arrive() {
        if case .arrival(let action) = kind { action() }
    }

    /// The error that the service answers with.
    var serverError: String? {
        if case .serverError(let code) = kind { code } else { nil }
    }

    /// The answer that replaces the service's.
    var replacement: LoopbackResponse? {
        switch kind {
        case .status(let status):
            LoopbackResponse(status: status)
        case .rateLimited(let wait):
            LoopbackResponse(status: 429, headers: [("Retry-After", "\(wait.components.seconds)")])
        case .html:
            .html("<!doctype html><title>Sign in to the network</title><p>Please accept the terms of this network.")
        case .empty:
            .json(Data())
        case .malformedJSON:
            .json(Data(#"{"access_token":"#.utf8))
        case .oversized(let bytes):
            .json(Self.document(of: bytes))
        default:
            nil
        }
    }

    /// Changes, delays or drops an answer on its way.
    func deliver(_ response: LoopbackResponse, by clock: AuthClock) async -> LoopbackResponse {
        switch kind {
        case .delayed(let wait):
            try? await clock.sleep(for: wait)
            return response
        case .held(let gate):
            await gate.pass()
            return response
        case .dropped:
            return .dropConnection
        case .truncated(let count):
            return .truncated(response, afterBodyBytes: count)
        case .clockSkew(let skew):
            return response.dated(clock.date + TimeInterval(skew.components.seconds))
        case .response(let change):
            var changed = response
            change(&changed)
            return changed
        default:
            return response
        }
    }

    private static func document(of bytes: Int) -> Data {
        let (head, tail) = (#"{"padding":""#, #""}"#)
        let padding = max(0, bytes - head.utf8.count - tail.utf8.count)
        return Data(head.utf8) + Data(repeating: UInt8(ascii: "x"), count: padding) + Data(tail.utf8)
    }
}

extension LoopbackResponse {
    /// Returns the answer with a `Date`, unless it has one.
    func dated(_ date: Date) -> LoopbackResponse {
        guard !headers.contains(where: { $0.name.lowercased() == "date" }) else { return self }
        var response = self
        response.headers.append(
            ("Date", LoopbackDate.string(secondsSince1970: Int(date.timeIntervalSince1970))))
        return response
    }
}

/// Answers of the service itself, with one thing changed.
extension EmulatorFault {
    /// Runs a closure when the request arrives, before the service carries it out.
    package static func onArrival(_ action: @escaping @Sendable () -> Void) -> Self {
        Self("arrival", .arrival(action))
    }

    /// An ID token with other claims, another header or another signature.
    package static func changedIDToken(
        _ name: String = "changedIDToken", _ change: @escaping @Sendable (inout IDTokenDraft) -> Void
    ) -> Self {
        Self(name, .token(Token(change: change)))
    }

    /// The service's own answer, changed.
    package static func changed(_ change: @escaping @Sendable (inout LoopbackResponse) -> Void) -> Self {
        Self("changed", .response(change))
    }
}
