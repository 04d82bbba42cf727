import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import UIKit

@testable import AuthStreamsApple

/// An app with one window on a device that holds passkeys, and the server that verifies them.
@MainActor
final class PasskeyPhone {
    static let domain = "example.com"
    static let user = PublicKeyCredentialCreationOptionsJSON.User(
        id: Data("user-1".utf8), name: "minji@example.com", displayName: "김민지")

    let scene: UIWindowScene
    let window: UIWindow
    let authenticator: EmulatedAuthenticator
    private(set) var registered: [RegisteredPasskey] = []
    private let server = PasskeyVerifier(rpID: domain)
    private let clock: AuthClock

    init(_ authenticator: EmulatedAuthenticator = EmulatedAuthenticator(), clock: AuthClock = .system) {
        scene = AppleDevice.App.connect()
        window = scene.windows.first ?? UIWindow(windowScene: scene)
        (self.authenticator, self.clock) = (authenticator, clock)
        AppleDevice.Passkeys.passkeys = self
        AppleDevice.Passkeys.associatedDomains = [Self.domain]
    }

    var system: SystemPasskeys { SystemPasskeys(clock: clock) }

    var requestOptions: PublicKeyCredentialRequestOptionsJSON {
        PublicKeyCredentialRequestOptionsJSON(
            challenge: Data((0..<32).map { _ in .random(in: 0...255) }), rpID: Self.domain)
    }

    var creationOptions: PublicKeyCredentialCreationOptionsJSON {
        PublicKeyCredentialCreationOptionsJSON(
            rp: .init(id: Self.domain, name: "Example"), user: Self.user,
            challenge: Data((0..<32).map { _ in .random(in: 0...255) }), algorithms: [.es256])
    }

    /// Makes a passkey without the app.
    @discardableResult
    func holdPasskey() throws -> RegisteredPasskey {
        let options = creationOptions
        let passkey = try server.register(authenticator.create(options), for: options) { _ in false }
        registered.append(passkey)
        return passkey
    }

    /// Begins a sign-in, without waiting for the system.
    func begin(
        _ mediation: SignInMethod.Kind = .sheet, _ options: PublicKeyCredentialRequestOptionsJSON? = nil
    ) -> Task<Result<AuthenticationResponseJSON, AuthError>, Never> {
        let (system, options, window) = (system, options ?? requestOptions, PresentationContext.in(window))
        return Task {
            await Result { () async throws(AuthError) in
                try await system.assertion(options, mediation: mediation, in: window)
            }
        }
    }

    /// Begins a registration, without waiting for the system.
    func beginRegistration(
        _ mediation: SignInMethod.Kind = .sheet, _ options: PublicKeyCredentialCreationOptionsJSON? = nil
    ) -> Task<Result<RegistrationResponseJSON, AuthError>, Never> {
        let (system, options, window) = (system, options ?? creationOptions, PresentationContext.in(window))
        return Task {
            await Result { () async throws(AuthError) in
                try await system.registration(options, mediation: mediation, in: window)
            }
        }
    }

    /// Whether the server accepts an answer.
    func accepts(
        _ response: AuthenticationResponseJSON, for options: PublicKeyCredentialRequestOptionsJSON
    ) throws -> Bool {
        let response = try AuthenticationResponseJSON(json: response.json)
        let known = registered
        return try server.authenticate(response, for: options) { id in known.first { $0.id == id } }.id == response.id
    }

    /// Registers a new passkey at the server.
    func register(_ response: RegistrationResponseJSON, for options: PublicKeyCredentialCreationOptionsJSON) throws {
        let known = registered
        registered.append(
            try server.register(try RegistrationResponseJSON(json: response.json), for: options) { id in
                known.contains { $0.id == id }
            })
    }
}

extension Result where Failure == AuthError {
    fileprivate init(_ body: () async throws(AuthError) -> Success) async {
        do throws(AuthError) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The emulated authenticator answers the system's requests.
extension PasskeyPhone: SimulatedPasskeys {
    func hasPasskey(for request: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest) -> Bool {
        let allowed = request.allowedCredentials.map(\.credentialID)
        return authenticator.passkeys.contains {
            $0.rpID == request.relyingPartyIdentifier && (allowed.isEmpty || allowed.contains($0.id))
        }
    }

    func assertion(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential {
        let key = request as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest
        guard let request = request as? any ASAuthorizationPublicKeyCredentialAssertionRequest else {
            throw ASAuthorizationError(.notHandled)
        }
        let platform = request as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
        let ids = platform?.allowedCredentials.map(\.credentialID) ?? key?.allowedCredentials.map(\.credentialID) ?? []
        let options = PublicKeyCredentialRequestOptionsJSON(
            challenge: request.challenge, rpID: request.relyingPartyIdentifier,
            allowCredentials: ids.map { PublicKeyCredentialDescriptorJSON(id: $0) },
            userVerification: .init(rawValue: request.userVerificationPreference.rawValue) ?? .preferred)
        let response = try Self.reporting { () throws(EmulatedAuthenticator.Failure) in try authenticator.get(options) }
        if key != nil {
            return ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.simulated(
                credentialID: response.id, clientData: response.clientDataJSON,
                authenticatorData: response.authenticatorData, signature: response.signature,
                userID: response.userHandle)
        }
        return ASAuthorizationPlatformPublicKeyCredentialAssertion.simulated(
            credentialID: response.id, clientData: response.clientDataJSON,
            authenticatorData: response.authenticatorData, signature: response.signature, userID: response.userHandle)
    }

    func registration(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential {
        let key = request as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest
        let platform = request as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
        guard let request = request as? any ASAuthorizationPublicKeyCredentialRegistrationRequest else {
            throw ASAuthorizationError(.notHandled)
        }
        let excluded =
            platform?.excludedCredentials?.map(\.credentialID) ?? key?.excludedCredentials.map(\.credentialID) ?? []
        var options = PublicKeyCredentialCreationOptionsJSON(
            rp: .init(id: request.relyingPartyIdentifier, name: ""),
            user: .init(id: request.userID, name: request.name, displayName: request.displayName ?? ""),
            challenge: request.challenge, excludeCredentials: excluded.map { PublicKeyCredentialDescriptorJSON(id: $0) }
        )
        options.authenticatorSelection.userVerification =
            .init(rawValue: request.userVerificationPreference.rawValue) ?? .preferred
        let isConditional = platform?.requestStyle == .conditional
        let response = try Self.reporting { () throws(EmulatedAuthenticator.Failure) in
            try authenticator.create(options, isConditional: isConditional)
        }
        if key != nil {
            return ASAuthorizationSecurityKeyPublicKeyCredentialRegistration.simulated(
                credentialID: response.id, clientData: response.clientDataJSON,
                attestationObject: response.attestationObject)
        }
        return ASAuthorizationPlatformPublicKeyCredentialRegistration.simulated(
            credentialID: response.id, clientData: response.clientDataJSON,
            attestationObject: response.attestationObject)
    }

    /// Reports an authenticator's failure as the system does.
    private static func reporting<Response>(
        _ body: () throws(EmulatedAuthenticator.Failure) -> Response
    ) throws -> Response {
        do throws(EmulatedAuthenticator.Failure) { return try body() } catch {
            switch error {
            case .cancelled, .noPasskey: throw ASAuthorizationError(.canceled)
            case .matchedExcludedCredential: throw ASAuthorizationError(.matchedExcludedCredential)
            case .notSupported, .cannotVerifyPerson, .noDomain, .signaturesUnavailable:
                throw ASAuthorizationError(.failed)
            }
        }
    }
}
