import AuthStreams
import Foundation
import LoopbackHTTP

extension GoogleAccounts {
    /// Returns the person's claims for the granted scopes, as in ID tokens and user information.
    func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = ["sub": .string(grant.userID)]
        guard let user = context.configuration.google.users.first(where: { $0.id == grant.userID }) else {
            return members
        }
        let scopes = GoogleScope.bothNames(grant.scopes)
        if scopes.contains("profile") {
            members["given_name"] = .string(user.givenName)
            members["family_name"] = .string(user.familyName)
        }
        return members.merging(user.claims(for: scopes)) { $1 }
    }

    /// User information for an access token (OpenID Connect Core 5.3).
    func userInfo(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        guard request.requestedError == nil,
            let token = context.grants.valid(request.bearerToken ?? request.query["access_token"], .access, of: .google)
        else {
            let code = request.requestedError ?? "invalid_token"
            var response = LoopbackResponse.oauthError(code, "Invalid Credentials", status: 401)
            response.headers.append(("WWW-Authenticate", "Bearer error=\"\(code)\""))
            return response
        }
        guard token.grant.scopes.contains("openid") else {
            return .oauthError("insufficient_scope", "Request had insufficient authentication scopes.", status: 403)
        }
        return .json(.object(profile(of: token.grant, context)))
    }

    /// Ends the grant of a token, for every client of the project. Google returns an error if there was none.
    func revoke(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let error = request.requestedError { return .oauthError(error) }
        guard let token = request.form["token"] ?? request.query["token"] else {
            return .oauthError("invalid_request", "Missing required parameter: token")
        }
        guard let found = context.grants.valid(token, of: .google) else {
            return .oauthError("invalid_token", "Token expired or revoked")
        }
        let link = context.link(of: found.grant)
        let clients = context.configuration.google.clients.filter { $0.project == link.app }
        context.grants.revokeAll(of: link, by: Set(clients.map(\.id)))
        return .json([:])
    }

    /// Tells what an access token or an ID token says. Every value is a string.
    func tokenInfo(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        if let error = request.requestedError { return .oauthError(error) }
        let parameters = request.query.merged(with: request.form)
        var members: [String: AuthJSON]
        if let idToken = parameters["id_token"] {
            let rules = ServerIDTokenVerifier.google(in: context.configuration)
            guard let claims = try? rules.claims(ofSigned: idToken, in: context) else { return Self.invalidValue }
            members = claims.merging(JSONWebToken(Secret(idToken))?.header.object ?? [:]) { $1 }
        } else if let text = parameters["access_token"] ?? request.bearerToken {
            guard let token = context.grants.valid(text, .access, of: .google) else { return Self.invalidValue }
            let grant = token.grant
            let told = ["email", "email_verified"] + (grant.scopes.contains("openid") ? ["sub"] : [])
            members = profile(of: grant, context).filter { told.contains($0.key) }
            members["azp"] = .string(grant.clientID)
            members["aud"] = .string(grant.clientID)
            members["scope"] = .string(grant.scopes.sorted().joined(separator: " "))
            members["exp"] = .seconds(token.expiresAt)
            members["expires_in"] = .integer(Int64(token.expiresAt.timeIntervalSince(context.now)))
            members["access_type"] = grant.isOffline ? "offline" : "online"
        } else {
            return .oauthError("invalid_request", "either access_token, id_token, or token_handle required")
        }
        return .json(
            .object(members.mapValues { .string($0.string ?? String(decoding: $0.data, as: UTF8.self)) }))
    }

    private static var invalidValue: LoopbackResponse { .oauthError("invalid_token", "Invalid Value") }
}

/// The names of Google's scopes.
enum GoogleScope {
    private static let prefix = "https://www.googleapis.com/auth/"
    /// Those of two names, which are granted by the longer one.
    private static let longNames = ["email": "\(prefix)userinfo.email", "profile": "\(prefix)userinfo.profile"]

    /// Those that a sign-in needs, which a person cannot leave out.
    static let signIn = Set(longNames.values).union(["openid"])

    /// Whether Google has the scope. Of an API's scopes the form alone is known here.
    static func isKnown(_ name: String) -> Bool {
        name == "openid" || longNames[name] != nil || name.hasPrefix(prefix) || name == "https://mail.google.com/"
    }

    /// Returns the scopes that a request of these asks for. A request for an address or a profile includes `openid`.
    static func granted(_ requested: Set<String>) -> Set<String> {
        let names = Set(requested.map { longNames[$0] ?? $0 })
        return names.isDisjoint(with: signIn) ? names : names.union(["openid"])
    }

    /// Returns granted scopes with both names of those that have two.
    static func bothNames(_ granted: Set<String>) -> Set<String> {
        granted.union(longNames.filter { granted.contains($0.value) }.keys)
    }
}
