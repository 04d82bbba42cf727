import AuthStreams
import Foundation

/// What a request asks of the server, read from the wire.
enum ServerCall {
    case signIn(user: Int)
    case refresh(TokenName)
    case signOut(TokenName)
    case use(TokenName)
    case unknown

    init(_ request: HTTPRequest) {
        let body = request.body ?? Data()
        let token = TokenName(.refresh, in: body)
        switch request.url.lastPathComponent {
        case "sign-in": self = Credentials.user(in: body).map(Self.signIn) ?? .unknown
        case "refresh": self = token.map(Self.refresh) ?? .unknown
        case "sign-out": self = token.map(Self.signOut) ?? .unknown
        default:
            let access = request.headers[.authorization].flatMap { TokenName(String($0.dropFirst(7))) }
            self = access.map(Self.use) ?? .unknown
        }
    }

    /// The token whose use is at stake.
    var refreshToken: TokenName? {
        if case .refresh(let token) = self { token } else { nil }
    }

    func carryOut(by server: Server) -> Answer {
        switch self {
        case .signIn(let user): server.signIn(user)
        case .refresh(let token): server.refresh(token)
        case .signOut(let token): server.signOut(token)
        case .use(let token):
            server.accepts(token)
                ? Answer(HTTPResponse(status: 204)) : .problem(401, "invalid-access-token", meaning: nil)
        case .unknown: .problem(404, "not-found", meaning: nil)
        }
    }
}

extension ServerCall: CustomStringConvertible {
    var description: String {
        switch self {
        case .signIn(let user): "sign in user \(user)"
        case .refresh(let token): "refresh \(token)"
        case .signOut(let token): "sign out \(token)"
        case .use(let token): "do something with \(token)"
        case .unknown: "do what it does not know"
        }
    }
}

/// What the simulated provider hands over: an ID token that names the user.
enum Credentials {
    static func idToken(of user: Int) -> Secret { Secret("I\(user).0") }

    static func user(in body: Data) -> Int? {
        guard let range = body.range(of: Data(#""idToken":"I"#.utf8)), range.upperBound < body.endIndex else {
            return nil
        }
        return Int(body[range.upperBound]) - 0x30
    }
}
