import AuthStreams
import AuthStreamsOAuth
import Foundation
import LoopbackHTTP

/// Supabase Auth (<https://github.com/supabase/auth>), with the project's gateway before it and one Edge Function beside it.
///
/// | of production | here |
/// | --- | --- |
/// | the gateway requires a key in `apikey` | the same |
/// | the algorithm of access tokens | RS256, as a project with asymmetric keys has, whose public ones are at `.well-known/jwks.json` |
/// | refresh tokens | those of version 2: with a counter |
/// | limits of requests by address | none; a fault plays them |
/// | CAPTCHA, hooks, SAML, passkeys, factors by phone, OAuth | left out |
struct EmulatedGoTrue: EmulatorService {
    let hosts = [EmulatorConfiguration.Supabase.host]
    let state: Lock<SupabaseState>

    static let messagesPath = "/emulator/messages"

    func sessions(at now: Date) -> [SessionCount] {
        state.withLock { state in
            state.users.all.map { SessionCount("Supabase", $0.email ?? $0.id, state.sessions.keys(named: $0.id).count) }
        }
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let (auth, functions) = ("/auth/v1/", "/functions/v1/")
        switch request.endpoint {
        case "GET \(Self.messagesPath)": return messagesPage
        case "GET \(auth).well-known/jwks.json": return .json(context.signer.keySet(host: hosts[0]))
        default: break
        }
        guard request.path.hasPrefix(auth) || request.path.hasPrefix(functions) else { return nil }
        if let refusal = gatewayRefusal(of: request, in: context) { return refusal }
        do throws(SupabaseError) {
            if let error = request.requestedError { throw SupabaseError(requested: error) }
            if request.path.hasPrefix(functions) { return try call(request, in: context) }
            let call = SupabaseCall(
                request: request, path: String(request.path.dropFirst(auth.count)), state: state, context: context)
            guard let answer = try call.answer() else { return nil }
            return answer == .null ? LoopbackResponse(status: 204) : .json(answer)
        } catch {
            return error.response(to: request)
        }
    }

    /// Supabase's gateway answers in its own words.
    private func gatewayRefusal(of request: EmulatorRequest, in context: EmulatorContext) -> LoopbackResponse? {
        let key = request.header("apikey")
        let known = context.configuration.supabase.key
        // An administrator's key of production may have been sent.
        if Mismatch.accepts("apikey", secret: key, known, in: "supabase.key") { return nil }
        let message = key == nil ? "No API key found in request" : "Invalid API key"
        return .json(
            ["message": .string(message), "hint": "Double check your Supabase `anon` or `service_role` API key."],
            status: 401)
    }

    /// The Edge Function that deletes the account of its caller.
    private func call(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(SupabaseError) -> LoopbackResponse {
        guard request.endpoint == "POST /functions/v1/\(context.configuration.supabase.deletionFunction)" else {
            return .json(["code": "NOT_FOUND", "message": "Requested function was not found"], status: 404)
        }
        let call = SupabaseCall(request: request, path: "", state: state, context: context)
        let id: String
        do { id = try call.caller().user.id } catch {
            guard error.code != "user_not_found", error.code != "session_not_found" else { throw error }
            // The platform of functions checks the token itself.
            return .json(["code": 401, "message": "Invalid JWT"], status: 401)
        }
        state.withLock { _ = $0.delete(id) }
        return .json(["deleted": true])
    }

    private var messagesPage: LoopbackResponse {
        SentMessagesPage.response("Messages of Supabase", state.withLock { $0.messages.all })
    }
}

/// One request to the emulated Supabase Auth.
struct SupabaseCall {
    let request: EmulatorRequest
    /// Below `auth/v1`.
    let path: String
    let state: Lock<SupabaseState>
    let context: EmulatorContext

    var rules: EmulatorConfiguration.Supabase { context.configuration.supabase }
    var now: Date { context.now }

    /// - Returns: `nil` without such an endpoint, `null` for 204.
    func answer() throws(SupabaseError) -> AuthJSON? {
        let parts = path.split(separator: "/").map(String.init)
        switch (request.method, parts.first ?? "", parts.count) {
        case ("POST", "signup", 1): return try signUp()
        case ("POST", "token", 1): return try token()
        case ("POST", "otp", 1): return try sendCode()
        case ("POST", "verify", 1): return try verify()
        case ("POST", "recover", 1): return try recover()
        case ("POST", "resend", 1): return try resend()
        case ("POST", "logout", 1): return try logOut()
        case ("GET", "reauthenticate", 1): return try reauthenticate()
        case ("GET", "user", 1): return try caller().user.json
        case ("PUT", "user", 1): return try update()
        case ("DELETE", "user", 3) where parts[1] == "identities": return try removeIdentity(parts[2])
        case ("POST", "factors", 1): return try enroll()
        case ("DELETE", "factors", 2): return try removeFactor(parts[1])
        case ("POST", "factors", 3) where parts[2] == "challenge": return try challenge(parts[1])
        case ("POST", "factors", 3) where parts[2] == "verify": return try verifyFactor(parts[1])
        default: return nil
        }
    }

    // MARK: Reading

    /// The members of the body.
    func body() throws(SupabaseError) -> [String: AuthJSON] {
        guard let members = request.json?.object else {
            throw SupabaseError("bad_json", "Could not parse request body as JSON")
        }
        return members
    }

    /// The session and the user of the access token (`auth.go`).
    func caller() throws(SupabaseError) -> (user: SupabaseUser, session: SupabaseSession) {
        guard let token = request.bearerToken else {
            throw SupabaseError("no_authorization", "This endpoint requires a valid Bearer token")
        }
        guard let jwt = JSONWebToken(Secret(token)), case let claims = jwt.claims,
            context.signer.verifies(jwt, token, byKeyOf: EmulatorConfiguration.Supabase.host),
            let expiry = claims["exp"]?.lenientInteger, now.timeIntervalSince1970 < TimeInterval(expiry)
        else { throw SupabaseError("bad_jwt", "invalid JWT: unable to parse or verify signature") }
        let (user, session) = state.withLock { state in
            (state[claims["sub"]?.string ?? ""], state.sessions.find(claims["session_id"]?.string ?? ""))
        }
        guard let user else { throw SupabaseError("user_not_found", "User from sub claim in JWT does not exist") }
        guard let session else {
            throw SupabaseError("session_not_found", "Session from session_id claim in JWT does not exist")
        }
        guard !user.isBanned else { throw SupabaseError("user_banned", "User is banned", status: 403) }
        return (user, session)
    }

    // MARK: Answering

    func save(_ user: SupabaseUser) { state.withLock { $0[user.id] = user } }

    /// The tokens of a session (`tokens/service.go`).
    func tokens(of session: SupabaseSession) -> AuthJSON {
        let user = state.withLock { $0[session.userID] } ?? SupabaseUser(at: now)
        let lifetime = rules.accessTokenLifetime.components.seconds
        let issued = Int64(now.timeIntervalSince1970)
        let methods = session.methods.sorted { $0.at > $1.at }.map { method -> AuthJSON in
            ["method": .string(method.name), "timestamp": .integer(Int64(method.at.timeIntervalSince1970))]
        }
        let claims: [String: AuthJSON] = [
            "iss": .string(context.served("\(EmulatorConfiguration.Supabase.baseURL)/auth/v1")),
            "sub": .string(user.id), "aud": "authenticated", "iat": .integer(issued),
            "exp": .integer(issued + lifetime), "email": .string(user.email ?? ""), "phone": .string(user.phone ?? ""),
            "role": "authenticated", "aal": .string(session.level), "amr": .array(methods),
            "session_id": .string(session.id), "is_anonymous": .bool(user.isAnonymous),
            "app_metadata": user.json["app_metadata"] ?? [:], "user_metadata": .object(user.metadata),
        ]
        let access = context.signer.token(claims, host: EmulatorConfiguration.Supabase.host)
        return [
            "access_token": .string(access), "token_type": "bearer", "expires_in": .integer(lifetime),
            "expires_at": .integer(issued + lifetime),
            "refresh_token": .string(session.token), "user": user.json,
        ]
    }

    /// Begins a session of a user.
    func begin(_ user: SupabaseUser, by method: String) -> AuthJSON {
        tokens(of: state.withLock { $0.begin(of: user, by: method, at: now) })
    }
}
