import AuthStreams
import AuthStreamsOAuth
import Testing

@testable import AuthStreamsTesting

/// One test of the OpenID Foundation's conformance suite for clients: what the issuer does, and what the client must do.
struct ConformanceRow: Sendable, CustomTestStringConvertible {
    /// What the client does while the issuer misbehaves.
    enum Act: Sendable {
        case signIn
        case refresh
        case logOut
    }

    /// The test's name in the suite.
    let name: String
    /// The name in the suite's predecessor; `nil` for a test that it did not have.
    let earlierName: String?
    /// The error with which the client refuses; `nil` if it must accept.
    var refusal: AuthError.Code?
    var act = Act.signIn
    var redeemers = [OpenIDProvider.Redeemer.app, .repository]
    /// The client's authentication at the issuer.
    var authentication = ClientAuthentication.publicClient
    /// The secret that signs ID tokens, of a client that is registered for that.
    var sharedSecret: Secret?
    /// The endpoints that a client which refuses sends no request to.
    var unasked = [EmulatorEndpoint.issuerUserInfo]
    var configure: @Sendable (inout EmulatorConfiguration.Issuer) -> Void = { _ in }
    /// Makes the issuer misbehave, before the act.
    var misbehave: @Sendable (Emulator) -> Void = { _ in }
    /// What changes at the issuer before a second sign-in of the same client, if there is one.
    var change: (@Sendable (Emulator) -> Void)?

    var testDescription: String { earlierName.map { "\(name), earlier \($0)" } ?? name }

    /// A test that a client passes by accepting.
    static func accepts(
        _ name: String, earlier earlierName: String?, at endpoint: EmulatorEndpoint = .issuerToken,
        _ fault: EmulatorFault? = nil
    ) -> Self {
        Self(
            name: name, earlierName: earlierName,
            misbehave: { emulator in
                if let fault { emulator.inject(fault, at: endpoint) }
            })
    }

    /// A test that a client passes by refusing.
    static func refuses(
        _ name: String, earlier earlierName: String?, with code: AuthError.Code,
        at endpoint: EmulatorEndpoint = .issuerToken, _ fault: EmulatorFault
    ) -> Self {
        Self(name: name, earlierName: earlierName, refusal: code, misbehave: { $0.inject(fault, at: endpoint) })
    }

    /// Returns the row with other properties.
    func with(_ change: (inout Self) -> Void) -> Self {
        var row = self
        change(&row)
        return row
    }
}
