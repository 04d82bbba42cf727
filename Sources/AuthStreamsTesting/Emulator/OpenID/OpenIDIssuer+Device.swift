import AuthStreams
import Foundation
import LoopbackHTTP

/// Sign-ins by a code that the person enters on another device (RFC 8628).
extension OpenIDIssuer {
    /// A device authorization request.
    struct DeviceRequest: Sendable {
        enum Decision: Sendable {
            case denied
            case approved(Grant)
        }

        let userCode: String
        let scopes: Set<String>
        let expiresAt: Date
        /// The shortest time between two requests to the token endpoint, in seconds.
        var interval: TimeInterval
        /// When the token endpoint was asked last; first when the code was given.
        var askedAt: Date
        /// What the person decided; `nil` until they did.
        var decision: Decision?

        /// The person's code, as it is compared.
        var letters: String { Self.letters(of: userCode) }

        /// A code without what people leave out or add, in one case (section 6.1).
        static func letters(of code: String) -> String { code.uppercased().filter(\.isLetter) }
    }

    static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"
    static let devicePath = "/realms/main/device"
    /// How long a code that expired is known, in seconds.
    private static let deviceMemory: TimeInterval = 60

    /// Gives a code for the device and one for the person.
    func authorizeDevice(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let (form, issuer) = (request.form, context.configuration.issuer)
        if let error = request.requestedError { return .oauthError(error, "As the test asked.") }
        if let name = form.repeated { return .oauthError("invalid_request", "Parameter repeated: \(name)") }
        guard isAuthenticated(request, context) else {
            return .oauthError("invalid_client", "Invalid client credentials", status: 401)
        }
        let userCode = Self.userCode()
        let lifetime = issuer.deviceCodeLifetime.components.seconds
        let device = DeviceRequest(
            userCode: userCode, scopes: Set((form["scope"] ?? "").split(separator: " ").map(String.init)),
            expiresAt: context.now + TimeInterval(lifetime),
            interval: TimeInterval(issuer.devicePollingInterval.components.seconds), askedAt: context.now)
        let code = state.withLock { $0.devices.add(device) }
        let page = context.served("https://\(hosts[0])\(Self.devicePath)")
        return .json([
            "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(page),
            "verification_uri_complete": .string("\(page)?user_code=\(userCode)"), "expires_in": .integer(lifetime),
            "interval": .integer(issuer.devicePollingInterval.components.seconds),
        ])
    }

    /// The page at which the person enters the code, or compares the one that the address has.
    func devicePage(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let issuer = context.configuration.issuer
        guard let entered = request.query["user_code"] else { return codePage() }
        guard let (code, device) = waitingDevice(for: entered, context) else {
            return MessagePage.error(
                "invalid_user_code", "The code is not known, was used or has expired.", status: 400)
        }
        var pending = PendingAuthorization(
            issuer: .openID, clientID: issuer.clientID, redirectURI: "", scopes: device.scopes)
        pending.deviceCode = code
        return ConsentPage(
            brand: .issuer, appName: "\(context.configuration.appName) (\(device.userCode))", pending: pending,
            users: issuer.users, ticket: context.grants.keep(pending), context: context
        ).response
    }

    /// Keeps the person's decision for the device, which asks for it.
    ///
    /// - Parameter user: The person who agreed; `nil` if they did not.
    func decide(
        _ pending: PendingAuthorization, for code: String, by user: EmulatorUser?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let grant = user.map { pending.grant(userID: $0.id, context) }
        let now = context.now
        let isWaiting = state.withLock { state in
            guard let device = state.devices[code], device.decision == nil, device.expiresAt > now else { return false }
            state.devices[code]?.decision = grant.map(DeviceRequest.Decision.approved) ?? .denied
            return true
        }
        guard isWaiting else {
            return MessagePage.error("expired_code", "The code was used or has expired.", status: 400)
        }
        let message =
            grant == nil
            ? "The device was not signed in." : "You are signed in. Go back to the device that showed the code."
        return .html(MessagePage(title: "You can close this page", message: message).html)
    }

    /// Answers a device that asks whether the person has decided (sections 3.4 and 3.5).
    ///
    /// - Returns: The person's approval, once, or the error.
    func redeem(deviceCode: String?, _ context: EmulatorContext) -> Result<Grant, DeviceError> {
        let now = context.now
        return state.withLock { state in
            guard let deviceCode, let device = state.devices.find(deviceCode) else { return .failure(.unknown) }
            guard device.expiresAt > now else {
                // A server remembers an expired code for a while, and then knows nothing of it.
                return .failure(device.expiresAt + Self.deviceMemory > now ? .expired : .unknown)
            }
            let isTooEarly = now.timeIntervalSince(device.askedAt) < device.interval
            state.devices[deviceCode]?.askedAt = now
            if isTooEarly {
                state.devices[deviceCode]?.interval += 5
                return .failure(.tooEarly)
            }
            switch device.decision {
            case nil: return .failure(.pending)
            case .denied:
                state.devices[deviceCode] = nil
                return .failure(.denied)
            case .approved(let grant):
                state.devices[deviceCode] = nil
                return .success(grant)
            }
        }
    }

    /// An error of section 3.5, by its name there.
    enum DeviceError: String, Error {
        case pending = "authorization_pending"
        case tooEarly = "slow_down"
        case denied = "access_denied"
        case expired = "expired_token"
        case unknown = "invalid_grant"
    }

    private func waitingDevice(for entered: String, _ context: EmulatorContext) -> (code: String, DeviceRequest)? {
        let (letters, now) = (DeviceRequest.letters(of: entered), context.now)
        return state.withLock { state in
            state.devices.keys(named: letters).compactMap { code in state.devices[code].map { (code, $0) } }
                .first { $0.1.decision == nil && $0.1.expiresAt > now }
        }
    }

    /// Eight consonants, which make no words and are told from one another (section 6.1).
    private static func userCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement(using: &generator) ?? "B" }
        return String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    }

    private func codePage() -> LoopbackResponse {
        let brand = ConsentPage.Brand.issuer
        return .html(
            PageStyle.document(
                title: "Sign in on a device", accent: brand.accent, ink: brand.ink,
                body: """
                    <h1>\(HTML.escape(brand.heading))</h1>
                    <form method="get" action="/\(brand.host)\(Self.devicePath)">
                    <label>Code <input name="user_code" autocomplete="off" autocapitalize="characters" required></label>
                    <button class="primary" type="submit">Continue</button>
                    </form>
                    <p class="quiet">This is an emulator. No real account is involved.</p>
                    """))
    }
}
