import AuthStreams
import AuthStreamsOAuth
import Foundation

// The checks are those of WebAuthn Level 3 section 7. Options work once, for the time of a challenge.

extension EmulatedAPI {
    /// `POST /auth/passkeys/sign-in/options`: the options of an assertion: of any passkey, or of those of the access token's user.
    func passkeyAssertion(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            let rules = context.configuration.server
            var options = PublicKeyCredentialRequestOptionsJSON(
                challenge: Self.challenge(), timeout: rules.challengeLifetime, rpID: rules.relyingPartyID)
            var userID: String?
            if request.bearerToken != nil {
                let account = try state.caller(request, now: context.now).account
                userID = account.id
                options.allowCredentials = state.passkeys.all(of: account.id).map(\.record.descriptor)
                guard !options.allowCredentials.isEmpty else {
                    throw ServerProblem("invalid-credential", "The user has no passkey.")
                }
            }
            state.passkeys.expect(
                options.challenge, .assertion(options, userID: userID),
                for: rules.challengeLifetime, now: context.now)
            return options.json
        }
    }

    /// `POST /auth/passkeys/sign-in/verify`: begins a session by the answer of a passkey. One that has verified the person takes the
    /// place of the second factor.
    func signInByPasskey(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let response = try AuthenticationResponseJSON(of: request)
        return try state.withLock { (state) throws(ServerProblem) in
            let userID = try state.verify(response, of: nil, in: context)
            var entry = ServerChallenges.Entry(identity: .passkey(of: userID))
            if response.isUserVerified { entry.passed = [.factor] }
            return try state.enter(entry, in: context)
        }
    }

    /// Returns the identity that a passkey proves to be the caller's.
    func passkeyIdentity(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(ServerProblem) -> VerifiedIdentity {
        let response = try AuthenticationResponseJSON(of: request)
        return try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.caller(request, now: context.now).account.id
            return .passkey(of: try state.verify(response, of: caller, in: context))
        }
    }

    /// `POST /auth/passkeys/registration/options`: the options of a new passkey for the user of the access token.
    func passkeyRegistration(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        let isConditional = try ServerBody(request).string("mediation") == "conditional"
        return try state.withLock { (state) throws(ServerProblem) in
            let rules = context.configuration.server
            let account = try state.recentCaller(request, in: context).account
            let name = account.email ?? account.displayName ?? account.id
            let options = PublicKeyCredentialCreationOptionsJSON(
                rp: .init(id: rules.relyingPartyID, name: "Pulseboard"),
                user: .init(id: Data(account.id.utf8), name: name, displayName: account.displayName ?? name),
                challenge: Self.challenge(), timeout: rules.challengeLifetime,
                excludeCredentials: state.passkeys.all(of: account.id).map(\.record.descriptor),
                authenticatorSelection: .init(residentKey: .required))
            state.passkeys.expect(
                options.challenge,
                .registration(options, userID: account.id, isConditional: isConditional),
                for: rules.challengeLifetime, now: context.now)
            return options.json
        }
    }

    /// `POST /auth/passkeys/registration/verify`: adds a passkey to the user of the access token.
    func registerPasskey(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let response: RegistrationResponseJSON
        do throws(AuthError) { response = try RegistrationResponseJSON(json: request.json ?? .null) } catch {
            throw ServerProblem("invalid-request", error.explanation)
        }
        return try state.withLock { (state) throws(ServerProblem) in
            let (family, account) = try state.caller(request, now: context.now)
            guard
                case .registration(let options, account.id, let isConditional) =
                    try state.passkeys.redeem(response.clientDataJSON, now: context.now)
            else { throw ServerProblem("invalid-credential", "The challenge was for something else.") }
            let record: RegisteredPasskey
            do throws(PasskeyRefusal) {
                record = try context.passkeyVerifier.register(
                    response, for: options, isConditional: isConditional,
                    isKnown: { state.passkeys.find($0) != nil })
            } catch { throw ServerProblem(error) }
            let user = try state.accounts.link(.passkey(of: account.id), to: account.id)
            state.passkeys.add(.init(userID: account.id, record: record, createdAt: context.now))
            if family.provider == .anonymous {
                state.sessions.update(family.id) { ($0.provider, $0.signedInAt) = (.passkey, context.now) }
            }
            return ["user": user.json]
        }
    }

    /// `GET /auth/passkeys`: the passkeys of the user of the access token.
    func passkeys(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            let id = try state.caller(request, now: context.now).account.id
            return ["passkeys": .array(state.passkeys.all(of: id).map(\.json))]
        }
    }

    /// `DELETE /auth/passkeys/ID`: removes a passkey of the user of the access token, if their sign-in is recent.
    func removePasskey(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let id = request.itemID
        return try state.withLock { (state) throws(ServerProblem) in
            let account = try state.recentCaller(request, in: context).account
            var user = account
            let rest = state.passkeys.all(of: account.id).filter { $0.id != id }
            if rest.isEmpty { user = try state.accounts.unlink(.passkey, from: account.id) }
            state.passkeys.removeAll(of: account.id) { $0.id == id }
            return ["user": user.json]
        }
    }

    private static func challenge() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data(RandomBytes.bytes(count: 32, using: &generator))
    }
}

extension ServerState {
    /// Verifies the answer of a passkey, and returns its user.
    ///
    /// - Parameter caller: The user who is to prove their identity; `nil` for a sign-in.
    fileprivate mutating func verify(
        _ response: AuthenticationResponseJSON, of caller: String?, in context: EmulatorContext
    ) throws(ServerProblem) -> String {
        guard
            case .assertion(let options, caller) = try passkeys.redeem(response.clientDataJSON, now: context.now)
        else { throw ServerProblem("invalid-credential", "The challenge was for something else.") }
        let record: RegisteredPasskey
        do throws(PasskeyRefusal) {
            record = try context.passkeyVerifier.authenticate(
                response, for: options, userHandle: caller.map { Data($0.utf8) },
                find: { [passkeys] in passkeys.find($0)?.record })
        } catch { throw ServerProblem(error) }
        passkeys.update(record, usedAt: context.now)
        return String(decoding: record.userHandle, as: UTF8.self)
    }
}

extension EmulatorContext {
    fileprivate var passkeyVerifier: PasskeyVerifier {
        PasskeyVerifier(rpID: configuration.server.relyingPartyID, origins: configuration.server.passkeyOrigins)
    }
}

extension AuthenticationResponseJSON {
    fileprivate init(of request: EmulatorRequest) throws(ServerProblem) {
        do throws(AuthError) { try self.init(json: request.json ?? .null) } catch {
            throw ServerProblem("invalid-request", error.explanation)
        }
    }

    fileprivate var isUserVerified: Bool {
        (try? AuthenticatorData(authenticatorData))?.flags.contains(.userVerified) ?? false
    }
}

extension VerifiedIdentity {
    /// The identity that all passkeys of a user prove.
    fileprivate static func passkey(of userID: String) -> Self { Self(provider: .passkey, userID: userID) }
}

extension ServerPasskeys.Stored {
    fileprivate var json: AuthJSON {
        var members: [String: AuthJSON] = [
            "id": .string(id), "createdAt": .integer(Int64(createdAt.timeIntervalSince1970)),
        ]
        members["lastUsedAt"] = lastUsedAt.map { .integer(Int64($0.timeIntervalSince1970)) }
        return .object(members)
    }
}
