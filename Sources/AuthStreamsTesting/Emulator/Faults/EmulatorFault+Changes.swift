package import AuthStreams
import Foundation
import LoopbackHTTP

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
