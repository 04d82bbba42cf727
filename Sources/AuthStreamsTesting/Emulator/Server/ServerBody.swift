import AuthStreams
import Foundation

/// The JSON body of a request to the app's server. Members that the contract does not have are ignored.
struct ServerBody {
    private let members: [String: AuthJSON]

    init(_ request: EmulatorRequest) throws(ServerProblem) {
        let mediaType = request.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/json", let members = request.json?.object else {
            throw ServerProblem("invalid-request", "The body is not a JSON object.")
        }
        self.members = members
    }

    private init(members: [String: AuthJSON]) {
        self.members = members
    }

    /// Returns a string; `nil` if it is absent or null.
    func string(_ name: String) throws(ServerProblem) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let value) where !value.isEmpty: return value
        default: throw ServerProblem("invalid-request", "'\(name)' must be a string that is not empty.")
        }
    }

    /// The names of all members.
    var names: Set<String> { Set(members.keys) }

    /// Returns a string or a boolean as text; `nil` for anything else.
    func word(_ name: String) -> String? { members[name]?.string ?? members[name]?.bool.map { "\($0)" } }

    /// Returns whether there is such a member, also if it is null.
    func has(_ name: String) -> Bool { members[name] != nil }

    func required(_ name: String) throws(ServerProblem) -> String {
        guard let value = try string(name) else { throw ServerProblem("invalid-request", "'\(name)' is missing.") }
        return value
    }

    /// Returns an object; empty if it is absent or null.
    func object(_ name: String) throws(ServerProblem) -> ServerBody {
        switch members[name] {
        case nil, .null: return ServerBody(members: [:])
        case .object(let members): return ServerBody(members: members)
        default: throw ServerProblem("invalid-request", "'\(name)' must be an object.")
        }
    }
}
