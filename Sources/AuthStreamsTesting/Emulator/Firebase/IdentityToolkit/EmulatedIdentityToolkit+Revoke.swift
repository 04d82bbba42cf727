import AuthStreams

extension EmulatedIdentityToolkit {
    /// `accounts:revokeToken`, version 2: redeems a code at Apple and revokes its tokens, if it is of the Apple
    /// identity of the ID token's user. Tokens in place of the code are not emulated.
    func revokeToken(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) async throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request, members: ["providerId", "tokenType", "token", "idToken", "redirectUri", "tenantId"])
        guard try body.string("providerId") == ProviderID.apple.rawValue else {
            throw IdentityToolkitError("INVALID_PROVIDER_ID", "Only Apple's tokens can be revoked.")
        }
        guard context.configuration.firebase.enabledProviders.contains(.apple) else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "The identity provider is not enabled.")
        }
        // Google's SDK for Apple platforms sends the number instead of the name.
        guard ["CODE", "3"].contains(try body.string("tokenType")) else { throw .notImplemented }
        guard let code = try body.string("token") else { throw IdentityToolkitError("MISSING_CODE") }
        let account = try account(idToken: body.string("idToken"), in: context).account
        var credential = PresentedCredential()
        credential.code = code
        credential.redirectURI = try body.string("redirectUri")
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            let grant = try await verifier.grant(of: credential, from: .apple)
            guard account.has(grant) else { throw .refused("The code is another person's.") }
            try await verifier.revoke(grant)
        } catch {
            switch error {
            case .unavailable:
                throw IdentityToolkitError(
                    httpStatus: 503, message: "Apple did not answer.", reason: "backendError", status: "UNAVAILABLE")
            case .malformed(let detail), .refused(let detail), .nonce(let detail):
                throw IdentityToolkitError("INVALID_IDP_RESPONSE", detail)
            }
        }
        return [:]
    }
}

extension FirebaseAccount {
    fileprivate func has(_ grant: RevocableGrant) -> Bool {
        identities.contains { $0.providerID == grant.provider.rawValue && $0.rawID == grant.userID }
    }
}
