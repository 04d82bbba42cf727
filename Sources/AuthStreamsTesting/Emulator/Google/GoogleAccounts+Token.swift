import AuthStreams
import Foundation
import LoopbackHTTP

extension GoogleAccounts {
    /// The token endpoint. A wrong client is a 401, everything else a 400.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        do throws(Refusal) {
            if let error = request.requestedError { throw failure(error, "As the test asked.") }
            if let name = request.form.repeated { throw failure("invalid_request", "Parameter repeated: \(name)") }
            let client = try client(request, context)
            // Before the code is consumed, because the app could not get another without the person.
            if let audience = request.form["audience"], server(audience, of: client, context) == nil {
                throw failure("invalid_audience", "Audience is not a valid client ID.")
            }
            return tokens(for: try grant(request.form, of: client, context), of: client, request, context)
        } catch { return error.response }
    }

    /// Returns the grant of a code, of a refresh token, or of a device's code.
    private func grant(
        _ form: EmulatorParameters, of client: EmulatorConfiguration.Google.Client, _ context: EmulatorContext
    ) throws(Refusal) -> Grant {
        switch form["grant_type"] {
        case "authorization_code": return try redeem(form, by: client, context)
        case "refresh_token":
            guard let token = context.grants.valid(form["refresh_token"], .refresh, of: .google),
                token.grant.clientID == client.id
            else { throw failure("invalid_grant", "Token has been expired or revoked.") }
            return token.grant
        case DeviceCodes.grantType: return try redeemDeviceCode(form, by: client, context)
        case nil: throw failure("invalid_request", "Missing required parameter: grant_type")
        case let other?: throw failure("unsupported_grant_type", "Invalid grant_type: \(other)")
        }
    }

    private func redeem(
        _ form: EmulatorParameters, by client: EmulatorConfiguration.Google.Client, _ context: EmulatorContext
    ) throws(Refusal) -> Grant {
        guard let code = form["code"] else { throw failure("invalid_request", "Missing required parameter: code") }
        guard let grant = context.grants.redeem(code: code, by: .google, for: client.id) else {
            throw failure("invalid_grant", "Malformed auth code.")
        }
        guard client.redeems(grant, at: form["redirect_uri"], context) else {
            throw failure("redirect_uri_mismatch", "Bad Request")
        }
        guard grant.accepts(verifier: form["code_verifier"]) else {
            throw failure("invalid_grant", grant.challenge == nil ? "Bad Request" : "Invalid code verifier.")
        }
        return grant
    }

    private func redeemDeviceCode(
        _ form: EmulatorParameters, by client: EmulatorConfiguration.Google.Client, _ context: EmulatorContext
    ) throws(Refusal) -> Grant {
        guard client.kind == .limitedInput else { throw failure("invalid_client", Self.limitedInputOnly) }
        switch devices.redeem(form["device_code"], by: client.id, context) {
        case .success(let grant):
            _ = context.grants.consents { $0.record(grant, as: context.link(of: grant), at: context.now) }
            return grant
        case .failure(.pending): throw failure("authorization_pending", "Precondition Required", status: 428)
        case .failure(let error) where [.tooEarly, .denied].contains(error):
            throw failure(error.rawValue, "Forbidden", status: 403)
        case .failure(let error): throw failure(error.rawValue, "Bad Request")
        }
    }

    /// Gives codes to a device and to its person.
    func authorizeDevice(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        do throws(Refusal) {
            let form = request.form
            if let error = request.requestedError { throw failure(error, "As the test asked.") }
            guard let client = context.configuration.google.client(form["client_id"]) else {
                throw failure("invalid_client", "The OAuth client was not found.")
            }
            guard client.kind == .limitedInput else { throw failure("invalid_client", Self.limitedInputOnly) }
            let requested = form.words("scope")
            guard !requested.isEmpty, requested.allSatisfy(GoogleScope.isKnown) else {
                throw failure("invalid_scope", "Invalid device flow scope: \(form["scope"] ?? "")")
            }
            let scopes = GoogleScope.granted(requested)
            return devices.issue(
                to: client.id, scopes, optional: scopes.subtracting(GoogleScope.signIn), lifetime: 1800, interval: 5,
                context)
        } catch { return error.response }
    }

    private static let limitedInputOnly =
        "Only clients of type 'TVs and Limited Input devices' can use the OAuth 2.0 flow for TV and Limited-Input Device Applications."

    private func tokens(
        for grant: Grant, of client: EmulatorConfiguration.Google.Client, _ request: EmulatorRequest,
        _ context: EmulatorContext
    ) -> LoopbackResponse {
        let access = context.grants.issueToken(.access, for: grant, lifetime: 3599)
        var members: [String: AuthJSON] = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 3599,
            "scope": .string(grant.scopes.sorted().joined(separator: " ")),
        ]
        if !request.isRefresh, client.isInstalled || grant.isOffline && grant.isNewConsent {
            members["refresh_token"] = .string(context.grants.issueToken(.refresh, for: grant, lifetime: 180 * 86_400))
        }
        // An app that names its server as the audience gets a token for the server, and a code that the server may
        // redeem.
        let server = request.form["audience"].flatMap { self.server($0, of: client, context)?.id }
        if let server, !request.isRefresh {
            // Google does not document when the server of an app gets no refresh token, so that it always gets one here.
            let serverGrant = Grant(
                issuer: .google, clientID: server, userID: grant.userID, scopes: grant.scopes, nonce: grant.nonce,
                isOffline: true, isNewConsent: true, approvedAt: grant.approvedAt)
            members["server_code"] = .string(context.grants.issueCode(for: serverGrant))
        }
        if grant.scopes.contains("openid") {
            var claims = profile(of: grant, context)
            claims["iss"] = .string(context.issuer(Self.issuer))
            claims["azp"] = .string(grant.clientID)
            claims["aud"] = .string(server ?? grant.clientID)
            claims["iat"] = .seconds(context.now)
            claims["exp"] = .seconds(context.now + 3600)
            claims["at_hash"] = .string(EmulatorCrypto.halfHash(access))
            claims.add("nonce", grant.nonce)
            members["id_token"] = .string(context.signer.idToken(claims, host: Self.host, fault: request.tokenFault))
        }
        return .json(.object(members))
    }

    /// The client of the app's server: of type Web, and of the same project.
    private func server(
        _ id: String, of app: EmulatorConfiguration.Google.Client, _ context: EmulatorContext
    ) -> EmulatorConfiguration.Google.Client? {
        context.configuration.google.clients.first { $0.id == id && !$0.isInstalled && $0.project == app.project }
    }

    /// A refusal of a request, as a page or in the form of the token endpoint.
    struct Refusal: Error {
        let response: LoopbackResponse
    }

    /// The client of a token request, by `client_secret_basic` or `client_secret_post`.
    private func client(
        _ request: EmulatorRequest, _ context: EmulatorContext
    ) throws(Refusal) -> EmulatorConfiguration.Google.Client {
        let basic = request.basicCredentials
        guard let id = basic?.id ?? request.form["client_id"] else {
            throw failure("invalid_request", "Could not determine client ID from request.")
        }
        guard let client = context.configuration.google.client(id) else {
            throw failure("invalid_client", "The OAuth client was not found.")
        }
        let secret = basic?.secret ?? request.form["client_secret"]
        guard Mismatch.accepts("client_secret", secret: secret, client.secret, in: "google") else {
            throw secret == nil
                ? failure("invalid_request", "client_secret is missing.")
                : failure("invalid_client", "The provided client secret is invalid.")
        }
        return client
    }

    private func failure(_ code: String, _ description: String, status: Int? = nil) -> Refusal {
        Refusal(response: .oauthError(code, description, status: status ?? (code == "invalid_client" ? 401 : 400)))
    }
}

extension EmulatorConfiguration.Google.Client {
    /// The number of the project, with which every client ID begins.
    var project: Substring { id.prefix { $0 != "-" } }

    /// Whether a token request repeats the redirect URI as required.
    ///
    /// A server's code was issued without one: then it is empty, or one of those of the server's client.
    fileprivate func redeems(_ grant: Grant, at redirectURI: String?, _ context: EmulatorContext) -> Bool {
        guard grant.redirectURI == nil, let redirectURI else { return grant.isRedirected(to: redirectURI) }
        return allows(redirectURI, context)
    }
}
