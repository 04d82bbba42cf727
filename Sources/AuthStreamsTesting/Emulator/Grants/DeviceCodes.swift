import AuthStreams
import Foundation
import LoopbackHTTP

/// Sign-ins by a code that the person enters on another device (RFC 8628), at one service.
struct DeviceCodes: Sendable {
    /// A device authorization request.
    private struct Request: Sendable {
        let pending: PendingAuthorization
        let userCode: String
        /// The person's code, as it is compared.
        let letters: String
        let expiresAt: Date
        /// The shortest time between two requests to the token endpoint, in seconds.
        var interval: TimeInterval
        /// When the token endpoint was asked last; first when the code was given.
        var askedAt: Date
        /// What the person decided; `nil` until they did.
        var decision: Result<Grant, Refusal>?
    }

    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// How long a code that expired is known, in seconds.
    private static let memory: TimeInterval = 60

    let issuer: Grant.Issuer
    let brand: ConsentPage.Brand
    /// The page at which a person enters the code, in production.
    let page: String
    /// Whether the service follows the specification. Google's form is older: it has another name for the page, and a code is
    /// the same only in the same case.
    var isStandard = true
    private let requests = Lock(KeyedStore<Request>("device code", limit: EmulatorLimit.signIns) { [$0.letters] })

    /// Gives a code for the device and one for the person.
    ///
    /// - Parameters:
    ///   - optional: The scopes that the person may leave out.
    ///   - lifetime: How long both are valid, in seconds.
    ///   - interval: The shortest time between two requests to the token endpoint, in seconds.
    func issue(
        to clientID: String, _ scopes: Set<String>, optional: Set<String> = [], lifetime: Int64, interval: Int64,
        _ context: EmulatorContext
    ) -> LoopbackResponse {
        let userCode = Self.userCode()
        let request = Request(
            pending: PendingAuthorization(
                issuer: issuer, clientID: clientID, redirectURI: "", scopes: scopes, optional: optional,
                isOffline: true),
            userCode: userCode, letters: letters(of: userCode),
            expiresAt: context.now + TimeInterval(lifetime), interval: TimeInterval(interval), askedAt: context.now)
        let code = requests.withLock { $0.add(request) }
        let page = context.served(self.page)
        var members: [String: AuthJSON] = [
            "device_code": .string(code), "user_code": .string(userCode), "expires_in": .integer(lifetime),
            "interval": .integer(interval), isStandard ? "verification_uri" : "verification_url": .string(page),
        ]
        if isStandard { members["verification_uri_complete"] = .string("\(page)?user_code=\(userCode)") }
        return .json(.object(members))
    }

    /// The page at which the person enters the code, or compares the one that the address has.
    func page(_ request: EmulatorRequest, _ users: [EmulatorUser], _ context: EmulatorContext) -> LoopbackResponse {
        guard let entered = request.query["user_code"] else { return codePage }
        guard let (code, device) = waiting(for: entered, context) else {
            return .error("invalid_user_code", "The code is not known, was used or has expired.")
        }
        var pending = device.pending
        pending.deviceCode = code
        return context.ask(pending, brand, users, appName: "\(context.configuration.appName) (\(device.userCode))")
    }

    /// Keeps the person's decision for the device, which asks for it.
    ///
    /// - Parameter grant: What the person agreed to; `nil` if they did not.
    func decide(_ code: String, _ grant: Grant?, _ context: EmulatorContext) -> LoopbackResponse {
        let now = context.now
        let isWaiting = requests.withLock { requests in
            guard let device = requests[code], device.decision == nil, device.expiresAt > now else { return false }
            requests[code]?.decision = grant.map { .success($0) } ?? .failure(.denied)
            return true
        }
        guard isWaiting else { return .error("expired_code", "The code was used or has expired.") }
        return .message(
            "You can close this page",
            grant == nil
                ? "The device was not signed in." : "You are signed in. Go back to the device that showed the code.")
    }

    /// Answers a device that asks whether the person has decided (sections 3.4 and 3.5).
    ///
    /// - Returns: The person's approval, once, or the error.
    func redeem(_ code: String?, by clientID: String, _ context: EmulatorContext) -> Result<Grant, Refusal> {
        let now = context.now
        return requests.withLock { requests in
            guard let code, let device = requests.find(code), device.pending.clientID == clientID else {
                return .failure(.unknown)
            }
            guard device.expiresAt > now else {
                // A server remembers an expired code for a while, and then knows nothing of it.
                return .failure(device.expiresAt + Self.memory > now ? .expired : .unknown)
            }
            let isTooEarly = now.timeIntervalSince(device.askedAt) < device.interval
            requests[code]?.askedAt = now
            if isTooEarly {
                requests[code]?.interval += 5
                return .failure(.tooEarly)
            }
            guard let decision = device.decision else { return .failure(.pending) }
            requests[code] = nil
            return decision
        }
    }

    /// An error of section 3.5, by its name there.
    enum Refusal: String, Error {
        case pending = "authorization_pending"
        case tooEarly = "slow_down"
        case denied = "access_denied"
        case expired = "expired_token"
        case unknown = "invalid_grant"
    }

    /// A code without what people leave out or add, in one case (section 6.1), unless the service compares it as it is.
    private func letters(of code: String) -> String { isStandard ? code.uppercased().filter(\.isLetter) : code }

    private func waiting(for entered: String, _ context: EmulatorContext) -> (code: String, Request)? {
        let (letters, now) = (letters(of: entered), context.now)
        return requests.withLock { requests in
            requests.keys(named: letters).compactMap { code in requests[code].map { (code, $0) } }
                .first { $0.1.decision == nil && $0.1.expiresAt > now }
        }
    }

    /// Eight consonants, which make no words and are told from one another (section 6.1).
    private static func userCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = (0..<8).map { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement(using: &generator) ?? "B" }
        return String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    }

    private var codePage: LoopbackResponse {
        .html(
            PageStyle.document(
                title: "Sign in on a device", accent: brand.accent, ink: brand.ink,
                body: """
                    <h1>\(HTML.text(brand.heading))</h1>
                    <form method="get" action="\(page.served(below: ""))">
                    <label>Code <input name="user_code" autocomplete="off" autocapitalize="characters" required></label>
                    <button class="primary" type="submit">Continue</button>
                    </form>
                    <p class="quiet">This is an emulator. No real account is involved.</p>
                    """))
    }
}
