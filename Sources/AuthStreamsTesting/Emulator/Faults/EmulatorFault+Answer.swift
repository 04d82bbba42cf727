package import AuthStreams
import Foundation
import LoopbackHTTP

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
    func deliver(_ response: LoopbackResponse, now: Date) async -> LoopbackResponse {
        switch kind {
        case .held(let gate):
            await gate.pass()
            return response
        case .dropped:
            return .dropConnection
        case .truncated(let count):
            return .truncated(response, afterBodyBytes: count)
        case .clockSkew(let skew):
            return response.dated(now + TimeInterval(skew.components.seconds))
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
    package static func onArrival(_ action: @escaping @Sendable () -> Void) -> Self { Self(kind: .arrival(action)) }

    /// An ID token with other claims, another header or another signature.
    package static func changedIDToken(_ change: @escaping @Sendable (inout IDTokenDraft) -> Void) -> Self {
        Self(kind: .token(Token(change: change)))
    }

    /// A JSON object with other members, or with another status. Any other answer stays unchanged.
    package static func changedMembers(
        status: Int? = nil, _ change: @escaping @Sendable (inout [String: AuthJSON]) -> Void = { _ in }
    ) -> Self {
        Self(
            kind: .response { response in
                guard var members = AuthJSON(json: response.body)?.object else { return }
                change(&members)
                response.body = AuthJSON.object(members).data
                response.status = status ?? response.status
            })
    }

    /// A redirect with other parameters in its query. Any other answer stays unchanged.
    package static func changedRedirect(_ change: @escaping @Sendable (inout [String: String]) -> Void) -> Self {
        Self(
            kind: .response { response in
                guard let index = response.headers.firstIndex(where: { $0.name == "Location" }) else { return }
                let parts = response.headers[index].value.split(separator: "?", maxSplits: 1).map(String.init)
                guard parts.count == 2, let query = FormCoding.decode(parts[1]) else { return }
                var parameters = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
                change(&parameters)
                let changed = parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
                response.headers[index].value = "\(parts[0])?\(FormCoding.encode(changed))"
            })
    }
}
