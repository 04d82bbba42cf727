package import AuthStreams
package import AuthStreamsTesting
import Foundation
import LoopbackHTTP

extension EmulatorFault {
    /// A JSON object with other members, or with another status. Any other answer stays unchanged.
    package static func changedMembers(
        status: Int? = nil, _ change: @escaping @Sendable (inout [String: AuthJSON]) -> Void = { _ in }
    ) -> Self {
        changed { response in
            guard var members = AuthJSON(json: response.body)?.object else { return }
            change(&members)
            response.body = AuthJSON.object(members).data
            response.status = status ?? response.status
        }
    }

    /// A redirect with other parameters in its query. Any other answer stays unchanged.
    package static func changedRedirect(_ change: @escaping @Sendable (inout [String: String]) -> Void) -> Self {
        changed { response in
            guard let index = response.headers.firstIndex(where: { $0.name == "Location" }) else { return }
            let parts = response.headers[index].value.split(separator: "?", maxSplits: 1).map(String.init)
            guard parts.count == 2, let query = FormCoding.decode(parts[1]) else { return }
            var parameters = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
            change(&parameters)
            let changed = parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            response.headers[index].value = "\(parts[0])?\(FormCoding.encode(changed))"
        }
    }
}
