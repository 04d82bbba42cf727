public import Foundation

extension AppleDevice {
    /// What tests control of native Sign in with Apple.
    @MainActor public enum AppleID {
        /// A sheet of `performRequests` that is up.
        @MainActor public final class Attempt {
            public let controller: ASAuthorizationController
            #if AUTH_APPKIT || AUTH_UIKIT
                /// What the app gave to present the sheet in.
                public let anchor: ASPresentationAnchor?
            #endif

            init(_ controller: ASAuthorizationController) {
                self.controller = controller
                #if AUTH_APPKIT || AUTH_UIKIT
                    anchor = controller.presentationContextProvider?.presentationAnchor(for: controller)
                #endif
            }

            public var request: ASAuthorizationAppleIDRequest? {
                controller.authorizationRequests.first as? ASAuthorizationAppleIDRequest
            }

            /// Calls the delegate with a credential, as often as told. It may be called again, and late.
            public func succeed(
                with credential: ASAuthorizationAppleIDCredential, times: Int = 1, on delivery: Delivery = .main
            ) {
                let provider = request?.provider ?? ASAuthorizationAppleIDProvider()
                let authorization = ASAuthorization(provider: provider, credential: credential)
                for _ in 0..<times {
                    call(delivery) { [controller] in
                        controller.delegate?.authorizationController(
                            controller: controller, didCompleteWithAuthorization: authorization)
                    }
                }
            }

            /// Calls the delegate with an error, as often as told. ``ASAuthorizationError/canceled`` is the person's
            /// cancel.
            public func fail(_ error: any Error, times: Int = 1, on delivery: Delivery = .main) {
                for _ in 0..<times {
                    call(delivery) { [controller] in
                        controller.delegate?.authorizationController(
                            controller: controller, didCompleteWithError: error)
                    }
                }
            }
        }

        private struct States {
            var states: [String: ASAuthorizationAppleIDProvider.CredentialState] = [:]
            var error: (any Error)?
            var requests: [String] = []
            var answers: [String] = []
        }

        @MainActor private final class Sheets {
            let arrivals = Arrivals<Attempt>()
            var answer: (@MainActor (Attempt) -> Void)?
            var cancelCallsDelegate = true
            var cancelled: [ASAuthorizationController] = []

            func forget() {
                arrivals.forget()
                (answer, cancelCallsDelegate, cancelled) = (nil, true, [])
            }
        }

        private static let sheets: Sheets = {
            let sheets = Sheets()
            onReset { MainActor.assumeIsolated { sheets.forget() } }
            return sheets
        }()

        nonisolated private static let states: Locked<States> = {
            let states = Locked(States())
            onReset { states.withLock { $0 = States() } }
            return states
        }()

        /// Waits for the next sheet that the app puts up.
        public static func nextAttempt() async -> Attempt { await sheets.arrivals.next() }

        /// Answers each sheet as it is put up. Unless set, sheets wait for ``nextAttempt()``.
        public static var answer: (@MainActor (Attempt) -> Void)? {
            get { sheets.answer }
            set { sheets.answer = newValue }
        }

        /// Whether `cancel()` calls the delegate. The answer to a sheet that the person has agreed to may come first.
        public static var cancelCallsDelegate: Bool {
            get { sheets.cancelCallsDelegate }
            set { sheets.cancelCallsDelegate = newValue }
        }

        /// The controllers whose sheets the app has cancelled, the oldest first.
        public static var cancelled: [ASAuthorizationController] { sheets.cancelled }

        /// The states of the users that are known. For others the answer is `notFound` and an error, as reports say.
        nonisolated public static var credentialStates: [String: ASAuthorizationAppleIDProvider.CredentialState] {
            get { states.withLock { $0.states } }
            set { states.withLock { $0.states = newValue } }
        }

        /// Why no state can be told, such as without a network.
        nonisolated public static var credentialStateError: (any Error)? {
            get { states.withLock { $0.error } }
            set { states.withLock { $0.error = newValue } }
        }

        /// The users whose state was asked for, the oldest first.
        nonisolated public static var credentialStateRequests: [String] { states.withLock { $0.requests } }

        /// Those among them about whom the app was told.
        nonisolated public static var credentialStateAnswers: [String] { states.withLock { $0.answers } }

        /// The person stops using Sign in with Apple with this app, while it runs.
        public static func revoke(_ user: String) {
            credentialStates[user] = .revoked
            NotificationCenter.default.post(
                name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
        }

        nonisolated static func begin(_ controller: ASAuthorizationController) {
            call(.main) {
                let attempt = Attempt(controller)
                if let answer { answer(attempt) } else { sheets.arrivals.add(attempt) }
            }
        }

        nonisolated static func cancel(_ controller: ASAuthorizationController) {
            call(.main) {
                sheets.cancelled.append(controller)
                guard cancelCallsDelegate else { return }
                controller.delegate?.authorizationController(
                    controller: controller, didCompleteWithError: ASAuthorizationError(.canceled))
            }
        }

        nonisolated static func answerCredentialState(
            of user: String,
            _ completion: @escaping (ASAuthorizationAppleIDProvider.CredentialState, (any Error)?) -> Void
        ) {
            let (state, error) = states.withLock { states in
                states.requests.append(user)
                return (states.states[user], states.error)
            }
            call(.elsewhere) {
                completion(state ?? .notFound, error ?? (state == nil ? ASAuthorizationError(.unknown) : nil))
                states.withLock { $0.answers.append(user) }
            }
        }
    }
}

extension ASAuthorizationAppleIDCredential {
    /// A credential as Apple's sheet gives it. Name and e-mail come the first time only.
    public static func simulated(
        user: String = "000123.abc.0456", identityToken: Data?, authorizationCode: Data? = Data("code".utf8),
        state: String? = nil, email: String? = nil, fullName: PersonNameComponents? = nil,
        authorizedScopes: [ASAuthorization.Scope] = [], realUserStatus: ASUserDetectionStatus = .likelyReal
    ) -> ASAuthorizationAppleIDCredential {
        let credential = ASAuthorizationAppleIDCredential()
        (credential.user, credential.state, credential.email) = (user, state, email)
        (credential.identityToken, credential.authorizationCode) = (identityToken, authorizationCode)
        (credential.fullName, credential.authorizedScopes) = (fullName, authorizedScopes)
        credential.realUserStatus = realUserStatus
        return credential
    }
}
