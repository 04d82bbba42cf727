import AuthStreams
import Foundation

/// What an endpoint of the app's own does with an access token.
enum DataKind: String, Hashable, Sendable {
    /// It answers whose token it was.
    case plain
    /// It takes a token or not, as it likes: some of the machines behind it do not know the newest.
    case moody
    /// It never takes one.
    case refusing
    /// It refuses the person with any token.
    case forbidden
    /// It redirects to another party's server.
    case moved
    /// It is another party's server, which the app asks by mistake.
    case foreign

    /// Where it is, for that call.
    func url(of call: Ledger.Mark) -> URL {
        let server = self == .foreign ? "https://elsewhere.test" : "https://server.test"
        return URL(string: "\(server)/data/\(rawValue)/\(call)") ?? URL(literal: "https://server.test")
    }
}

extension Server {
    func data(_ kind: DataKind, with token: TokenName) -> Answer {
        switch kind {
        case .refusing, .foreign: return .problem(401, "invalid-access-token")
        case .forbidden: return .problem(403, "access-denied")
        case .moved: return Answer(AuthHTTPResponse(status: 307, headers: ["location": "https://elsewhere.test/data"]))
        case .moody where world.chance.oneIn(2) && !world.isCalm: return .problem(401, "invalid-access-token")
        case .plain, .moody:
            guard accepts(token) else { return .problem(401, "invalid-access-token") }
            return Answer(AuthHTTPResponse(status: 200, body: Data("u\(user(of: token.family)).".utf8)))
        }
    }
}
