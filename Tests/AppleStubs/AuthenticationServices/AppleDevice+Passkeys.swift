#if AUTH_APPKIT || AUTH_UIKIT
    public import Foundation

    /// What holds the passkeys of a simulated device and signs with them, because the stubs have no cryptography.
    ///
    /// Its errors are those that the system reports.
    @available(watchOS, unavailable)
    @MainActor public protocol SimulatedPasskeys: AnyObject {
        /// Whether the device has a passkey for a request.
        func hasPasskey(for request: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest) -> Bool
        /// The answer to a sign-in that the person approves.
        func assertion(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential
        /// The answer to a registration that the person approves.
        func registration(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential
    }

    @available(watchOS, unavailable)
    extension AppleDevice {
        /// What tests control of passkeys.
        @MainActor public enum Passkeys {
            /// How the system asks.
            public enum Style: Sendable {
                /// By a sheet.
                case modal
                /// By a sheet, because the device has a passkey.
                case immediate
                /// Among the suggestions of AutoFill.
                case autoFill
            }

            /// A sheet that is up, or suggestions that are pending.
            @MainActor public final class Request {
                public let controller: ASAuthorizationController
                public let style: Style
                /// What the app gave to present the sheet in.
                public let anchor: ASPresentationAnchor?

                init(_ controller: ASAuthorizationController, _ style: Style) {
                    (self.controller, self.style) = (controller, style)
                    anchor = controller.presentationContextProvider?.presentationAnchor(for: controller)
                }

                /// The request for a passkey to sign in with.
                public var assertion: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest? { first() }
                /// The request for a new passkey.
                public var registration: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest? { first() }

                /// The request of that class.
                public func first<Wanted: ASAuthorizationRequest>(_ type: Wanted.Type = Wanted.self) -> Wanted? {
                    controller.authorizationRequests.lazy.compactMap { $0 as? Wanted }.first
                }

                /// The person approves the first of the controller's requests, or that one.
                ///
                /// The device's passkeys answer it, or the system reports their error.
                public func approve(
                    _ request: ASAuthorizationRequest? = nil, times: Int = 1, on delivery: Delivery = .main
                ) {
                    do {
                        guard let request = request ?? controller.authorizationRequests.first,
                            let passkeys = Passkeys.passkeys
                        else { throw ASAuthorizationError(.canceled) }
                        let isAssertion = request is any ASAuthorizationPublicKeyCredentialAssertionRequest
                        succeed(
                            with: try isAssertion
                                ? passkeys.assertion(for: request) : passkeys.registration(for: request),
                            times: times, on: delivery)
                    } catch { fail(error, times: times, on: delivery) }
                }

                /// Calls the delegate with a credential, as often as told. It may be called again, and late.
                public func succeed(
                    with credential: any ASAuthorizationCredential, times: Int = 1, on delivery: Delivery = .main
                ) {
                    let provider = controller.authorizationRequests[0].provider
                    let authorization = ASAuthorization(provider: provider, credential: credential)
                    report(times, delivery) { controller in
                        controller.delegate?.authorizationController(
                            controller: controller, didCompleteWithAuthorization: authorization)
                    }
                }

                /// Calls the delegate with an error, as often as told. ``ASAuthorizationError/canceled`` is the person's
                /// cancel.
                public func fail(_ error: any Error, times: Int = 1, on delivery: Delivery = .main) {
                    report(times, delivery) { controller in
                        controller.delegate?.authorizationController(
                            controller: controller, didCompleteWithError: error)
                    }
                }

                private func report(
                    _ times: Int, _ delivery: Delivery, _ tell: @escaping @MainActor (ASAuthorizationController) -> Void
                ) {
                    Passkeys.state.ended(controller)
                    for _ in 0..<times { call(delivery) { [controller] in tell(controller) } }
                }
            }

            @MainActor fileprivate final class State {
                let arrivals = Arrivals<Request>()
                var answer: (@MainActor (Request) -> Void)?
                var passkeys: (any SimulatedPasskeys)?
                var associatedDomains: Set<String> = []
                var makesPasskeysWithoutAQuestion = true
                var cancelCallsDelegate = true
                /// Those of this device: a cancel may arrive when the device has been reset.
                var begun: [ASAuthorizationController] = []
                var cancelled: [ASAuthorizationController] = []
                var refused: [ASAuthorizationController] = []
                var underWay: Request?

                func ended(_ controller: ASAuthorizationController) {
                    if underWay?.controller === controller { underWay = nil }
                }

                func forget() {
                    arrivals.forget()
                    (answer, passkeys, associatedDomains, underWay, begun) = (nil, nil, [], nil, [])
                    (makesPasskeysWithoutAQuestion, cancelCallsDelegate, cancelled, refused) = (true, true, [], [])
                }
            }

            fileprivate static let state: State = {
                let state = State()
                onReset { MainActor.assumeIsolated { state.forget() } }
                return state
            }()

            /// Waits for the next sheet or the next suggestions.
            public static func nextRequest() async -> Request { await state.arrivals.next() }

            /// How many of them were not taken by ``nextRequest()``.
            public static var waitingRequests: Int { state.arrivals.count }

            /// Answers each of them at once. Unless set, they wait for ``nextRequest()``.
            public static var answer: (@MainActor (Request) -> Void)? {
                get { state.answer }
                set { state.answer = newValue }
            }

            /// The passkeys of the device; none unless set.
            public static var passkeys: (any SimulatedPasskeys)? {
                get { state.passkeys }
                set { state.passkeys = newValue }
            }

            /// The domains whose file lists the app, and that the app's entitlement has.
            public static var associatedDomains: Set<String> {
                get { state.associatedDomains }
                set { state.associatedDomains = newValue }
            }

            /// Whether the password manager makes a passkey without a question.
            public static var makesPasskeysWithoutAQuestion: Bool {
                get { state.makesPasskeysWithoutAQuestion }
                set { state.makesPasskeysWithoutAQuestion = newValue }
            }

            /// Whether `cancel()` calls the delegate.
            public static var cancelCallsDelegate: Bool {
                get { state.cancelCallsDelegate }
                set { state.cancelCallsDelegate = newValue }
            }

            /// The controllers that the app has cancelled, the oldest first.
            public static var cancelled: [ASAuthorizationController] { state.cancelled }

            /// The controllers that the system refused because another request was under way.
            public static var refused: [ASAuthorizationController] { state.refused }

            /// What is up or pending.
            public static var underWay: Request? { state.underWay }

            /// What is up or pending ends, without a call of the delegate.
            public static func forgetUnderWay() { state.underWay = nil }

            nonisolated static func concerns(_ controller: ASAuthorizationController) -> Bool {
                controller.authorizationRequests.contains {
                    $0 is any ASAuthorizationPublicKeyCredentialAssertionRequest
                        || $0 is any ASAuthorizationPublicKeyCredentialRegistrationRequest
                }
            }

            nonisolated static func begin(_ controller: ASAuthorizationController, _ beginning: Beginning) {
                call(.main) {
                    let style: Style =
                        switch beginning {
                        case .modal: .modal
                        case .immediate: .immediate
                        case .autoFill: .autoFill
                        }
                    begin(Request(controller, style))
                }
            }

            private static func begin(_ request: Request) {
                state.begun.append(request.controller)
                guard state.underWay == nil else {
                    state.refused.append(request.controller)
                    return request.fail(
                        failure("Request already in progress for specified application identifier."))
                }
                for domain in domains(of: request.controller) where !associatedDomains.contains(domain) {
                    return request.fail(
                        failure(
                            "Application with identifier A1B2C3D4E5.com.example.app is not associated with domain \(domain)"
                        ))
                }
                let requests = request.controller.authorizationRequests
                if request.style == .autoFill, requests.contains(where: { $0 !== request.assertion }) {
                    return request.fail(failure("AutoFill takes requests for platform passkeys alone."))
                }
                if request.style == .immediate,
                    !(request.assertion.map { passkeys?.hasPasskey(for: $0) ?? false } ?? false)
                {
                    return request.fail(ASAuthorizationError(.canceled))
                }
                if request.registration?.isConditional == true {
                    return makesPasskeysWithoutAQuestion
                        ? request.approve() : request.fail(ASAuthorizationError(.canceled))
                }
                state.underWay = request
                if let answer { answer(request) } else { state.arrivals.add(request) }
            }

            private static func domains(of controller: ASAuthorizationController) -> [String] {
                controller.authorizationRequests.compactMap {
                    ($0 as? any ASAuthorizationPublicKeyCredentialAssertionRequest)?.relyingPartyIdentifier
                        ?? ($0 as? any ASAuthorizationPublicKeyCredentialRegistrationRequest)?.relyingPartyIdentifier
                }
            }

            private static func failure(_ reason: String) -> ASAuthorizationError {
                ASAuthorizationError(.failed, userInfo: [NSLocalizedFailureReasonErrorKey: reason])
            }

            nonisolated static func cancel(_ controller: ASAuthorizationController) {
                call(.main) {
                    if state.begun.contains(where: { $0 === controller }) { state.cancelled.append(controller) }
                    guard cancelCallsDelegate else { return }
                    state.ended(controller)
                    controller.delegate?.authorizationController(
                        controller: controller, didCompleteWithError: ASAuthorizationError(.canceled))
                }
            }
        }
    }

    extension ASAuthorizationPlatformPublicKeyCredentialAssertion {
        /// The answer of a passkey to a sign-in.
        ///
        /// - Parameter isFromAnother: Whether it came from another device.
        public static func simulated(
            credentialID: Data, clientData: Data, authenticatorData: Data?, signature: Data?, userID: Data?,
            isFromAnother: Bool = false
        ) -> ASAuthorizationPlatformPublicKeyCredentialAssertion {
            let assertion = ASAuthorizationPlatformPublicKeyCredentialAssertion()
            (assertion.credentialID, assertion.rawClientDataJSON) = (credentialID, clientData)
            (assertion.rawAuthenticatorData, assertion.signature) = (authenticatorData, signature)
            (assertion.userID, assertion.isFromAnother) = (userID, isFromAnother)
            return assertion
        }
    }

    extension ASAuthorizationPlatformPublicKeyCredentialRegistration {
        /// A new passkey.
        ///
        /// - Parameter isFromAnother: Whether it is on another device.
        public static func simulated(
            credentialID: Data, clientData: Data, attestationObject: Data?, isFromAnother: Bool = false
        ) -> ASAuthorizationPlatformPublicKeyCredentialRegistration {
            let registration = ASAuthorizationPlatformPublicKeyCredentialRegistration()
            (registration.credentialID, registration.rawClientDataJSON) = (credentialID, clientData)
            (registration.rawAttestationObject, registration.isFromAnother) = (attestationObject, isFromAnother)
            return registration
        }
    }

    #if !os(tvOS) && !os(visionOS)
        extension ASAuthorizationSecurityKeyPublicKeyCredentialAssertion {
            /// The answer of a security key to a sign-in.
            public static func simulated(
                credentialID: Data, clientData: Data, authenticatorData: Data?, signature: Data?, userID: Data?
            ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertion {
                let assertion = ASAuthorizationSecurityKeyPublicKeyCredentialAssertion()
                (assertion.credentialID, assertion.rawClientDataJSON) = (credentialID, clientData)
                (assertion.rawAuthenticatorData, assertion.signature) = (authenticatorData, signature)
                assertion.userID = userID
                return assertion
            }
        }

        extension ASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
            /// A new passkey on a security key.
            public static func simulated(
                credentialID: Data, clientData: Data, attestationObject: Data?,
                transports: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport] = [.usb, .nfc]
            ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
                let registration = ASAuthorizationSecurityKeyPublicKeyCredentialRegistration()
                (registration.credentialID, registration.rawClientDataJSON) = (credentialID, clientData)
                (registration.rawAttestationObject, registration.ways) = (attestationObject, transports)
                return registration
            }
        }
    #endif
#endif
