public import AuthStreams

/// Sign-in by a passkey at a server of your own (WebAuthn Level 3).
///
/// ```swift
/// let auth = AuthService(.server(base), providers: [.passkey, .kakao(nativeAppKey: "…")], platform: .app)
/// let user = try await auth.signIn(with: .passkey).value.user
/// ```
///
/// | purpose | what happens |
/// | --- | --- |
/// | `AuthRequest.Purpose.signIn` | The server sends options, the person chooses a passkey, and its answer is the credential |
/// | `AuthRequest.Purpose.reauthenticate` | The same, among the passkeys of the user who is signed in |
/// | `AuthRequest.Purpose.link` | A passkey is made for the user who is signed in |
///
/// | kind of method | how the person is asked |
/// | --- | --- |
/// | `SignInMethod.Kind.sheet` | By the system's sheet, which also offers passkeys of other devices |
/// | `SignInMethod.Kind.immediate` | By the sheet if this device has a passkey; otherwise the attempt ends with `noPasskey`. A passkey is not made this way |
/// | `SignInMethod.Kind.conditional` | Among the suggestions of AutoFill, for as long as the attempt lasts: the options are requested again after half of their `timeout`. A passkey is made without a question, within a minute |
///
/// The app needs the associated domain `webcredentials:` of the server's `rp.id`.
public struct PasskeyProvider: AuthProvider {
    /// `passkey`.
    public var id: ProviderID { .passkey }
    /// The system's sheet, and two ways without a tap.
    public var methodKinds: [SignInMethod.Kind] { [.sheet, .immediate, .conditional] }

    private let authenticator: any PasskeyAuthenticator
    private let relyingPartyID: String?
    private let timeLimit: Duration
    private let clock: AuthClock

    /// Makes the provider.
    ///
    /// - Parameters:
    ///   - authenticator: What holds the passkeys.
    ///   - relyingPartyID: The domain of the passkeys, for a server whose options do not name it.
    ///   - timeLimit: How long the sheet may be shown before the attempt ends with `timedOut`.
    ///   - clock: Measures the time limit.
    package init(
        authenticator: any PasskeyAuthenticator, relyingPartyID: String? = nil,
        timeLimit: Duration = .seconds(600), clock: AuthClock = .system
    ) {
        self.authenticator = authenticator
        self.relyingPartyID = relyingPartyID
        self.timeLimit = timeLimit
        self.clock = clock
    }

    /// Returns one attempt.
    ///
    /// | code | when |
    /// | --- | --- |
    /// | `cancelled` | The person closed the sheet, or the task was cancelled |
    /// | `noPasskey` | No passkey fits, or the person closed the question of `SignInMethod.Kind.immediate` |
    /// | `passkeyExists` | The device has a passkey of the account already |
    /// | `timedOut` | The sheet did not answer within the time limit |
    /// | `misconfigured` | The app may not use the domain, the server names none or another one than the app, or the attempt is outside of a use case |
    /// | `invalidResponse` | The server's options violate WebAuthn |
    /// | `unsupportedProvider` | The device has no passkeys, or none of the kind that the server wants; the request names a method kind other than ``methodKinds``, or the prompt `none` |
    /// | others | Those of the repository, which gets the options |
    public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        let attempt = AuthStream { try await self.attempt(request) }
        guard request.methodKind == .conditional else { return attempt.timeout(timeLimit, clock: clock) }
        // AutoFill waits until the form is gone. A passkey without a question is made at once, or not at all.
        return request.purpose == .link ? attempt.timeout(min(timeLimit, .seconds(60)), clock: clock) : attempt
    }

    private func attempt(_ request: AuthRequest) async throws(AuthError) -> Credential {
        try requireMethodKind(of: request)
        try request.requireQuestions(of: id)
        let ceremony = try PasskeyCeremony(for: request)
        while true {
            // Before the options, which the server does not keep for long.
            try await authenticator.waitForTurn(isSuggestion: ceremony.isSuggestion, in: request.presentation)
            let prepared = try await AuthError.wrapping { try await request.prepare(ceremony.preparation) }
            request.onStep(.presenting)
            do throws(AuthError) {
                if let credential = try await credential(of: ceremony, prepared, request) { return credential }
            } catch { throw error.located(provider: id, step: .presenting) }
        }
    }

    /// Asks the person, and makes the credential of the answer.
    ///
    /// - Parameter prepared: What the server sent for the ceremony: `publicKey`, and the members that the next request repeats.
    /// - Returns: `nil` if the ceremony begins again, with new options.
    private func credential(
        of ceremony: PasskeyCeremony, _ prepared: AuthJSON, _ request: AuthRequest
    ) async throws(AuthError) -> Credential? {
        let options = prepared["publicKey"] ?? .null
        let response =
            switch ceremony.kind {
            case .registration: try await registration(options, ceremony.mediation, request)
            case .assertion: try await assertion(options, ceremony.mediation, request)
            }
        guard let response else { return nil }
        var credential = Credential.assertion(response)
        credential.members = (prepared["members"]?.object ?? [:]).compactMapValues { $0.text.map { Secret($0) } }
        return credential
    }

    /// - Returns: `nil` if no suggestion was chosen for so long that the server may not know the options any more.
    private func assertion(
        _ json: AuthJSON, _ mediation: SignInMethod.Kind, _ request: AuthRequest
    ) async throws(AuthError) -> AuthJSON? {
        var options = try PublicKeyCredentialRequestOptionsJSON(json: json)
        options.rpID = try domain(options.rpID)
        let answer = AuthStream { [options] in
            try await authenticator.assertion(options, mediation: mediation, in: request.presentation).json
        }
        guard mediation == .conditional else { return try await answer.value }
        // A server that gives its options no time is not asked all the time.
        let lifetime = max((options.timeout ?? .seconds(600)) / 2, .seconds(10))
        do throws(AuthError) { return try await answer.timeout(lifetime, clock: clock).value } catch {
            guard error.code == .timedOut else { throw error }
            return nil
        }
    }

    private func registration(
        _ json: AuthJSON, _ mediation: SignInMethod.Kind, _ request: AuthRequest
    ) async throws(AuthError) -> AuthJSON? {
        var options = try PublicKeyCredentialCreationOptionsJSON(json: json)
        options.rp.id = try domain(options.rp.id)
        return try await authenticator.registration(options, mediation: mediation, in: request.presentation).json
    }

    /// Returns the domain of the server's options, otherwise that of the app.
    private func domain(_ named: String?) throws(AuthError) -> String {
        guard let domain = named ?? relyingPartyID else {
            throw AuthError(
                .misconfigured,
                "The server's options name no domain (`rp.id`, `rpId`). Name it there, or give it to the provider.")
        }
        guard domain == relyingPartyID ?? domain else {
            throw AuthError(
                .misconfigured,
                "The server's options name another domain (`rp.id`, `rpId`) than the provider has. Make them the same.")
        }
        return domain
    }
}

/// What a request asks for in terms of WebAuthn: the ceremony, and how the person is asked.
private struct PasskeyCeremony {
    enum Kind {
        /// A passkey is made.
        case registration
        /// A challenge is signed with a passkey.
        case assertion
    }

    let kind: Kind
    /// `sheet`, `immediate` or `conditional`.
    let mediation: SignInMethod.Kind

    /// - Throws: `unsupportedProvider` if a passkey is to be made by `immediate`.
    init(for request: AuthRequest) throws(AuthError) {
        kind = request.purpose == .link ? .registration : .assertion
        mediation = request.methodKind ?? .sheet
        guard kind != .registration || mediation != .immediate else {
            throw AuthError(
                .unsupportedProvider, "A passkey is made by the sheet or by conditional mediation. Name another kind.",
                provider: .passkey)
        }
    }

    /// Whether the passkeys are suggestions of AutoFill, which end no other request.
    var isSuggestion: Bool { kind == .assertion && mediation == .conditional }

    /// What the server sends first.
    var preparation: Preparation {
        switch kind {
        case .registration: .passkeyRegistration(isConditional: mediation == .conditional)
        case .assertion: .passkeyAssertion
        }
    }
}
