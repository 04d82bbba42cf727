import AuthStreams
import Foundation

/// What a request asks of the server, read from the wire.
enum ServerCall {
    case signIn(Identity)
    case signInAnonymously
    case refresh(TokenName)
    case signOut(TokenName)
    case use(TokenName)
    case data(DataKind, TokenName, call: Ledger.Mark)
    case account(AccountRequest, TokenName)
    /// An answer to a further step, in a session if it is one of a change.
    case step(StepAnswer, TokenName?)
    case unknown

    /// A change of the account.
    enum AccountRequest: Hashable {
        case link(Identity)
        case unlink(ProviderID)
        case reauthenticate(Identity)
        case revokeAccess(Identity)
        case deleteAccount
        case signOutEverywhere
    }

    init(_ request: AuthHTTPRequest) {
        let body = request.body ?? Data()
        let last = request.url.lastPathComponent
        switch last {
        case "sign-in": self = Identity(provenIn: body).map(Self.signIn) ?? .unknown
        case "anonymous": self = .signInAnonymously
        case "refresh": self = TokenName(.refresh, in: body).map(Self.refresh) ?? .unknown
        case "sign-out":
            let token = TokenName(.refresh, in: body) ?? Self.access(of: request)
            self = token.map(Self.signOut) ?? .unknown
        case "step": self = StepAnswer(body).map { .step($0, Self.access(of: request)) } ?? .unknown
        default:
            self = Self.access(of: request).map { Self(last, of: request, body, with: $0) } ?? .unknown
        }
    }

    private static func access(of request: AuthHTTPRequest) -> TokenName? {
        request.headers[.authorization].flatMap { TokenName(String($0.dropFirst(7))) }
    }

    private init(_ last: String, of request: AuthHTTPRequest, _ body: Data, with token: TokenName) {
        if last == "use" {
            self = .use(token)
        } else if let call = Ledger.Mark(last) {
            let kind = DataKind(rawValue: request.url.deletingLastPathComponent().lastPathComponent)
            self = .data(kind ?? .foreign, token, call: call)
        } else if let change = AccountRequest(last, request.method, body) {
            self = .account(change, token)
        } else {
            self = .unknown
        }
    }

    /// The token whose use is at stake.
    var refreshToken: TokenName? {
        if case .refresh(let token) = self { token } else { nil }
    }

    func carryOut(by server: Server) -> Answer { server.challenge(to: self) ?? answer(of: server) }

    private func answer(of server: Server) -> Answer {
        switch self {
        case .signIn(let identity): server.signIn(identity)
        case .signInAnonymously: server.signInAnonymously()
        case .refresh(let token): server.refresh(token)
        case .signOut(let token): server.signOut(token)
        case .use(let token): server.accepts(token) ? .done : .problem(401, "invalid-access-token")
        case .data(let kind, let token, _): server.data(kind, with: token)
        case .account(.link(let identity), let token): server.link(identity, with: token)
        case .account(.unlink(let provider), let token): server.unlink(provider, with: token)
        case .account(.reauthenticate(let identity), let token): server.reauthenticate(identity, with: token)
        case .account(.revokeAccess(let identity), let token): server.revokeAccess(identity, with: token)
        case .account(.deleteAccount, let token): server.deleteAccount(with: token)
        case .account(.signOutEverywhere, let token): server.signOutEverywhere(with: token)
        case .step(let answer, let token): server.take(answer, with: token)
        case .unknown: .problem(404, "not-found")
        }
    }
}

extension ServerCall.AccountRequest {
    fileprivate init?(_ last: String, _ method: AuthHTTPRequest.Method, _ body: Data) {
        let identity = Identity(provenIn: body)
        switch (last, identity) {
        case ("links", let identity?): self = .link(identity)
        case ("reauthenticate", let identity?): self = .reauthenticate(identity)
        case ("revoke-access", let identity?): self = .revokeAccess(identity)
        case ("sign-out-everywhere", _): self = .signOutEverywhere
        case ("account", _) where method == .delete: self = .deleteAccount
        case (let provider, _) where method == .delete: self = .unlink(ProviderID(rawValue: provider))
        default: return nil
        }
    }
}

extension ServerCall: CustomStringConvertible {
    var description: String {
        switch self {
        case .signIn(let identity): "sign in \(identity)"
        case .signInAnonymously: "sign in anonymously"
        case .refresh(let token): "refresh \(token)"
        case .signOut(let token): "sign out \(token)"
        case .use(let token): "do something with \(token)"
        case .data(let kind, let token, let call): "answer data call \(call) (\(kind)) with \(token)"
        case .account(let request, let token): "\(request) with \(token)"
        case .step(let answer, let token):
            "take the answer \(answer.kind) to step \(answer.pending)\(token.map { " with \($0)" } ?? "")"
        case .unknown: "do something unknown"
        }
    }
}

extension ServerCall.AccountRequest: CustomStringConvertible {
    var description: String {
        switch self {
        case .link(let identity): "link \(identity)"
        case .unlink(let provider): "unlink \(provider)"
        case .reauthenticate(let identity): "take the proof of \(identity)"
        case .revokeAccess(let identity): "revoke access at \(identity)"
        case .deleteAccount: "delete the account"
        case .signOutEverywhere: "sign out everywhere"
        }
    }
}
