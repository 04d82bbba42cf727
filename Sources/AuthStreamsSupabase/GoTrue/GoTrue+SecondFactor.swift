import AuthStreams

/// Authenticator apps (`mfa.go`).
extension GoTrue {
    /// Sends the code of an authenticator app: `factors/ID/challenge`, which is valid for some minutes, and `factors/ID/verify`.
    ///
    /// The first code of a new app makes it a second factor. The sessions of the user that have none end.
    ///
    /// If the answer is lost, both are sent once more: the use of the refresh token before would end the session (`token.go`:
    /// `updateMFASessionAndClaims`). The access token still names the session, and GoTrue takes a code again. So the session is kept
    /// also after further losses, if the person answers the prompt again.
    ///
    /// - Returns: The tokens of the same session, with a second factor. The refresh token before is not taken any more.
    func verify(_ code: Secret, of factor: String, as accessToken: Secret) async throws(AuthError) -> Tokens {
        let challenge = try await challenge(of: factor, as: accessToken)
        do throws(AuthError) { return try await verify(code, of: factor, challenge, as: accessToken) } catch {
            guard error.isOfConnection, error.classification.isOutcomeUnknown, !Task.isCancelled else { throw error }
        }
        do throws(AuthError) {
            return try await verify(
                code, of: factor, try await self.challenge(of: factor, as: accessToken), as: accessToken)
        } catch {
            var error = error
            if error.isOfConnection {
                error.explanation += """
                     Supabase may have taken the code. Send one again while the access token is valid: otherwise the next refresh \
                    ends the session, and the person signs in again.
                    """
            }
            throw error
        }
    }

    private func challenge(of factor: String, as accessToken: Secret) async throws(AuthError) -> String {
        guard let id = try await send(.post, "factors/\(factor)/challenge", [:], as: accessToken)["id"]?.text else {
            throw AuthError(.invalidResponse, "The answer has no challenge for the authenticator app.")
        }
        return id
    }

    private func verify(
        _ code: Secret, of factor: String, _ challenge: String, as accessToken: Secret
    ) async throws(AuthError) -> Tokens {
        try Tokens(
            try await send(
                .post, "factors/\(factor)/verify",
                ["challenge_id": .string(challenge), "code": .string(code.reveal())], as: accessToken))
    }

    /// Begins to add an authenticator app: `factors`.
    ///
    /// An app whose first code was never sent keeps its name for some minutes. It is removed if it has the name.
    ///
    /// - Parameter name: What the person calls it; `nil` for a name of its own.
    /// - Returns: A challenge with the secret.
    func enroll(named name: String?, as accessToken: Secret) async throws(AuthError) -> Challenge {
        let factors = try await user(of: accessToken).factors
        let taken = factors.filter(\.isVerified).map(\.factor.name)
        let name = name ?? Self.freeName(beside: taken)
        for factor in factors where !factor.isVerified && factor.factor.name == name {
            try await remove(factor.factor.id, as: accessToken)
        }
        let answer = try await send(
            .post, "factors", ["factor_type": "totp", "friendly_name": .string(name)], as: accessToken)
        guard let id = answer["id"]?.text, let secret = answer["totp"]?["secret"]?.text,
            let uri = answer["totp"]?["uri"]?.text
        else { throw AuthError(.invalidResponse, "The answer has no secret for the authenticator app.") }
        return Challenge(
            .enrollment(.init(secret: Secret(secret), url: Secret(uri), length: 6)),
            context: [Context.factor: Secret(id)])
    }

    private static func freeName(beside taken: [String?]) -> String {
        let name = "Authenticator"
        var (number, free) = (1, name)
        while taken.contains(free) {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }

    /// Removes a second factor: `DELETE factors/ID`. The tokens stay valid.
    func remove(_ factor: Challenge.Factor.ID, as accessToken: Secret) async throws(AuthError) {
        _ = try await send(.delete, "factors/\(FormCoding.escape(factor))", as: accessToken)
    }
}

extension AuthError {
    /// The error that asks for the second factor of a session that has the first one alone.
    static func secondFactor(of tokens: GoTrue.Tokens) -> Self {
        let apps = tokens.user.secondFactors.filter { $0.kind == "totp" }
        guard let first = apps.first else {
            return AuthError(
                .secondFactorRequired,
                "The user's second factors are not authenticator apps. Sign in with Supabase's SDK, or remove them there."
            )
        }
        let challenge = Challenge(.factors(apps), pendingToken: tokens.access)
        return AuthError(
            .secondFactorRequired, "The user has an authenticator app as a second factor.",
            challenge: apps.count > 1 ? challenge : challenge.forCode(of: first.id))
    }

    /// Whether no usable answer came.
    fileprivate var isOfConnection: Bool { [.network, .timedOut, .server].contains(code) }
}

extension Challenge {
    /// The challenge for the code of one factor.
    func forCode(of factor: Factor.ID) -> Challenge {
        var challenge = self
        challenge.step = .code(.init(length: 6))
        challenge.context[GoTrue.Context.factor] = Secret(factor)
        return challenge
    }
}
