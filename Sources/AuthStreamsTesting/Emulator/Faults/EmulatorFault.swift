import AuthStreams
import LoopbackHTTP

/// One way for an emulator to misbehave; see ``Emulator/inject(_:at:_:)``.
public struct EmulatorFault: Sendable {
    /// How often a fault happens.
    public enum Times: Hashable, Sendable {
        /// For one request.
        case once
        /// For every request until ``Emulator/clearFaults()``.
        case always
    }

    enum Kind: Sendable {
        case held(EmulatorGate)
        case dropped
        case truncated(Int)
        case status(Int)
        case rateLimited(Duration)
        case html
        case empty
        case malformedJSON
        case oversized(Int)
        case clockSkew(Duration)
        case token(Token)
        case serverError(String)
        case arrival(@Sendable () -> Void)
        case response(@Sendable (inout LoopbackResponse) -> Void)
    }

    /// How an ID token is changed before it is signed; everything else about it stays valid.
    package struct Token: Sendable {
        let change: @Sendable (inout IDTokenDraft) -> Void
    }

    let kind: Kind
}

extension EmulatorFault {
    // MARK: The way there

    /// Carries the request out and holds the answer until the gate opens.
    public static func held(until gate: EmulatorGate) -> Self { Self(kind: .held(gate)) }
    /// Carries the request out and loses the answer: the connection closes without a byte.
    public static let dropConnection = Self(kind: .dropped)
    /// Carries the request out and cuts the answer off after so many bytes of its body.
    public static func truncated(afterBytes count: Int) -> Self { Self(kind: .truncated(count)) }

    // MARK: Another answer, in place of carrying the request out

    /// An empty answer of that status, such as 503.
    public static func status(_ status: Int) -> Self { Self(kind: .status(status)) }
    /// 429 with `Retry-After`, in whole seconds.
    public static func rateLimited(retryAfter: Duration) -> Self { Self(kind: .rateLimited(retryAfter)) }
    /// A web page with status 200, as captive portals and proxies send.
    public static let html = Self(kind: .html)
    /// Status 200 and no body, declared as JSON.
    public static let empty = Self(kind: .empty)
    /// Status 200 and JSON that ends in the middle.
    public static let malformedJSON = Self(kind: .malformedJSON)
    /// Status 200 and a JSON document of so many bytes; 10 MB unless given.
    public static func oversized(bytes: Int = 10_000_000) -> Self { Self(kind: .oversized(bytes)) }
    /// The service's own error of that code, in its own dialect: `invalid_grant`, `KOE320`, `-401`, `access_denied`.
    ///
    /// At an authorization endpoint the error is sent to the redirect URI without asking the person, except for those
    /// that the service only ever shows as a page.
    public static func error(_ code: String) -> Self { Self(kind: .serverError(code)) }

    // MARK: Tokens

    /// An ID token with another attempt's nonce.
    public static let wrongNonce = changedIDToken { $0.claims["nonce"] = "nonce-of-another-attempt" }
    /// An ID token for another app.
    public static let wrongAudience = changedIDToken { $0.claims["aud"] = "another-app" }
    /// An ID token of another issuer.
    public static let wrongIssuer = changedIDToken { $0.claims["iss"] = "https://issuer.invalid" }
    /// An ID token that expired an hour ago.
    public static let expiredToken = changedIDToken { $0.shift(by: -2 * ($0.lifetime + 3600)) }
    /// An ID token with `alg` `none` and no signature.
    public static let unsignedToken = changedIDToken { $0.header = ["alg": "none", "typ": "JWT"] }
    /// An ID token with the signature of other bytes.
    public static let wrongSignature = changedIDToken { $0.isForged = true }
    /// A server whose clock is ahead by that much (behind, if negative), in the `Date` header and in ID tokens.
    public static func clockSkew(_ skew: Duration) -> Self { Self(kind: .clockSkew(skew)) }
}

/// Holds answers of an emulator until a test opens it.
///
/// ```swift
/// let gate = EmulatorGate()
/// emulator.inject(.held(until: gate), at: .kakaoToken)
/// let attempt = Task { await signIn() }
/// await gate.arrival()    // the request is there, the answer is not
/// attempt.cancel()
/// gate.open()
/// ```
public final class EmulatorGate: Sendable {
    private let reached = Promise<Bool>()
    private let opened = Promise<Bool>()

    /// Makes a closed gate.
    public init() {}

    /// Waits until an answer is held, or the task is cancelled.
    public func arrival() async { _ = await reached.value() }

    /// Releases every answer, now and later. Further calls do nothing.
    public func open() { opened.resolve(true) }

    func pass() async {
        reached.resolve(true)
        _ = await opened.value()
    }
}

/// The pending faults, in order.
final class FaultPlan: Sendable {
    private struct Planned {
        let fault: EmulatorFault
        let endpoint: EmulatorEndpoint
        let times: EmulatorFault.Times
    }
    private let planned = Lock<[Planned]>([])

    func add(_ fault: EmulatorFault, at endpoint: EmulatorEndpoint, times: EmulatorFault.Times) {
        planned.withLock { $0.append(Planned(fault: fault, endpoint: endpoint, times: times)) }
    }

    func clear() {
        planned.withLock { $0.removeAll() }
    }

    /// How many faults were not met by a request yet, or happen for every request.
    var count: Int { planned.withLock { $0.count } }

    /// Removes and returns the first fault that matches the request.
    func next(for request: EmulatorRequest) -> EmulatorFault? {
        planned.withLock { planned in
            guard let index = planned.firstIndex(where: { $0.endpoint.matches(host: request.host, path: request.path) })
            else { return nil }
            let first = planned[index]
            if first.times == .once { planned.remove(at: index) }
            return first.fault
        }
    }
}
