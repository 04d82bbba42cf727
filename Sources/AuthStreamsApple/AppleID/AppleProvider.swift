#if AUTH_AUTHENTICATION_SERVICES
    import AuthenticationServices
    public import AuthStreams
    public import AuthStreamsOAuth
    import Foundation

    /// Signs in with Apple by the system's sheet.
    ///
    /// ```swift
    /// let auth = AuthService(repository: repository, providers: [AppleProvider(), …], store: store, callbacks: callbacks)
    /// let user = try await auth.signIn(with: .apple, AuthRequest(presentation: .in(window))).value.user
    /// ```
    ///
    /// In a service that is made for a platform it is `.apple`.
    ///
    /// The app needs the capability Sign in with Apple, and the device an Apple Account. On systems without the sheet use
    /// `AppleWebProvider`, of the module AuthStreamsOAuth.
    ///
    /// ## What the credential carries
    ///
    /// | field | content |
    /// | --- | --- |
    /// | `idToken` | Apple's ID token, unchanged. Its claims `real_user_status` and, for 60 days after the app was transferred to another team, `transfer_sub` are for your server |
    /// | `rawNonce` | The attempt's nonce. Apple received its SHA-256 in hexadecimal, which the token repeats |
    /// | `authorizationCode` | The code that only your server can redeem, within five minutes, with the app's bundle identifier as the client |
    /// | `userID` | Apple's identifier of the person for your team: the token's `sub` |
    /// | `profile` | Name and e-mail, at the person's first authorization only |
    /// | `realUserStatus` | Whether the person appears to be real |
    ///
    /// The provider compares `state`, nonce and `sub`. It does not verify the signature: the system delivers the token, and
    /// only your server's verification proves anything.
    ///
    /// ## The profile
    ///
    /// Apple sends name and e-mail once. `AuthService` stores them before the sign-in is sent, and removes them when the
    /// server has confirmed it. If the sign-in fails or the app is ended, the person's next sign-in sends them again. That
    /// applies also to an answer that comes after the attempt was cancelled or timed out, and to one without a valid ID token,
    /// unless its state is another attempt's.
    public struct AppleProvider: AuthProvider {
        /// A scope that Apple supports.
        public typealias Scope = AppleWebProvider.Scope

        /// `apple.com`.
        public var id: ProviderID { .apple }
        /// The system's sheet.
        public var methodKinds: [SignInMethod.Kind] { [.sheet] }

        private let scopes: [Scope]
        private let timeLimit: Duration
        private let clock: AuthClock

        /// Makes a provider.
        ///
        /// - Parameters:
        ///   - scopes: The requested scopes. Apple asks the person for them at the first authorization.
        ///   - timeLimit: How long the sheet may be shown before the attempt ends with `timedOut`.
        ///   - clock: Measures the time limit.
        public init(
            scopes: [Scope] = [.name, .email], timeLimit: Duration = .seconds(600), clock: AuthClock = .system
        ) {
            self.scopes = scopes
            self.timeLimit = timeLimit
            self.clock = clock
        }

        /// Returns one sign-in by the sheet.
        ///
        /// Errors, each with the system's error as its cause where there is one:
        ///
        /// | code | when |
        /// | --- | --- |
        /// | `cancelled` | The person closed the sheet, or the task was cancelled |
        /// | `timedOut` | The sheet did not answer within the time limit |
        /// | `presentationUnavailable` | There is no window to present in, or its scene was disconnected while the sheet was shown |
        /// | `misconfigured` | The capability is missing, the device has no Apple Account, or the request has a scope that Apple does not have |
        /// | `stateMismatch`, `nonceMismatch`, `invalidIDToken` | The answer is not the attempt's |
        /// | `invalidResponse` | The answer has no ID token |
        /// | `network` | The system could not reach Apple |
        /// | `unsupportedProvider` | The request names a method kind other than ``methodKinds`` |
        /// | `unexpected` | Any other error of the system |
        ///
        /// The sheet has no hint and no prompt, so the request's are ignored, but for the prompt `none`, which is refused. Its extra
        /// scopes are added.
        public func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
            AuthStream { try await attempt(request, secrets: AuthorizationSecrets()) }
        }

        private func attempt(
            _ request: AuthRequest, secrets: AuthorizationSecrets
        ) async throws(AuthError) -> Credential {
            try requireMethodKind(of: request)
            try request.requireQuestions(of: id)
            let scopes = try scopes(of: request)
            return try await ProgressReporter(of: id, reportingTo: request).run(.presenting) {
                try await PasskeyTurn.wait()
                return try await AuthStream.mainActorCallback(timeLimit: timeLimit, clock: clock) { callback in
                    let isAnswered = Promise<Void>()
                    let system = Self.request(for: scopes, secrets)
                    let sheet = try AuthorizationSheet(for: [system], in: request.presentation) { answer in
                        let first = isAnswered.resolve(()) ? callback : nil
                        let answer = AppleAuthorization.read(answer)
                        // No child task: the profile is stored also when the attempt is over.
                        _ = TaskSpawner.start { await finish(first, with: answer, of: secrets, request) }
                    }
                    callback.onCancel { _ = TaskSpawner.start { await sheet.cancel() } }
                    sheet.present()
                }.value
            }
        }

        private static func request(
            for scopes: Set<Scope>, _ secrets: AuthorizationSecrets
        ) -> ASAuthorizationAppleIDRequest {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = scopes.map(\.system)
            request.state = secrets.state.reveal()
            request.nonce = AppleNonce.hashed(secrets.nonce)
            return request
        }

        /// Stores the profile of an answer, and then ends the attempt.
        ///
        /// - Parameter callback: `nil` for an answer after the first one.
        private func finish(
            _ callback: AuthCallback<Credential>?, with answer: Result<AppleAuthorization, AuthError>,
            of secrets: AuthorizationSecrets, _ request: AuthRequest
        ) async {
            do throws(AuthError) {
                let authorization = try answer.get()
                try authorization.requireState(of: secrets)
                // Also if the answer turns out to prove nothing: Apple sends the profile once. It is sent to the server
                // with a credential of the same person alone.
                if let profile = authorization.profile, !authorization.userID.isEmpty {
                    await request.keepProfile(Credential(provider: id, userID: authorization.userID, profile: profile))
                }
                let credential = try authorization.credential(of: secrets)
                callback?.succeed(credential)
            } catch {
                callback?.fail(error)
            }
        }

        private func scopes(of request: AuthRequest) throws(AuthError) -> Set<Scope> {
            var all = Set(scopes)
            for name in request.extraScopes {
                guard let scope = Scope(rawValue: name) else {
                    throw AuthError(
                        .misconfigured, "Apple has no such scope. Use 'name' and 'email' only.", provider: id)
                }
                all.insert(scope)
            }
            return all
        }
    }

    extension AppleProvider {
        /// Reports that people stopped using Sign in with Apple for the app.
        ///
        /// The system is asked for the state of the person's credential when their session begins, at the launch of an app
        /// in which they are signed in, and each time it posts `credentialRevokedNotification`, which names no person.
        ///
        /// | the system's answer | consequence |
        /// | --- | --- |
        /// | `revoked` | a report |
        /// | `authorized` | none |
        /// | `transferred` | none: the app was transferred to another team, and your server migrates the person's identifier by the claim `transfer_sub` |
        /// | `notFound` | none: it is also the answer about a person whose Apple Account is not the device's |
        /// | an error | none. The answer beside it has no meaning |
        ///
        /// In Apple's Simulator there are no reports, because it answers `revoked` about everyone (iOS 18 and later).
        ///
        /// A change while the app does not run, or on another device, is found at the next launch, or by your server.
        public var revocations: RevocationReports? {
            #if targetEnvironment(simulator)
                nil
            #else
                RevocationReports { userID in Self.states(of: userID) }
            #endif
        }

        private static func states(of userID: String) -> AsyncStream<Void> {
            AsyncStream { continuation in
                let check: @Sendable () -> Void = {
                    ASAuthorizationAppleIDProvider().getCredentialState(forUserID: userID) { state, error in
                        // Without the check of the error, a failed request would be a revocation, whose number is 0.
                        if error == nil, state == .revoked { continuation.yield() }
                    }
                }
                // Before the first check, so that no notification is missed. The token is used once, to remove the observer.
                nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
                    forName: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil, queue: nil
                ) { _ in check() }
                continuation.onTermination = { _ in NotificationCenter.default.removeObserver(observer) }
                check()
            }
        }
    }

    extension AppleProvider.Scope {
        fileprivate var system: ASAuthorization.Scope {
            switch self {
            case .name: .fullName
            case .email: .email
            }
        }
    }

    extension AuthProviderFactory {
        /// Sign-in with Apple by the system's sheet, with name and e-mail; see ``AppleProvider``.
        public static var apple: Self { .apple(scopes: [.name, .email]) }

        /// Sign-in with Apple by the system's sheet; see ``AppleProvider``.
        ///
        /// - Parameter scopes: The requested scopes.
        public static func apple(scopes: [AppleProvider.Scope]) -> Self {
            Self { AppleProvider(scopes: scopes, clock: $0.clock) }
        }
    }
#endif
