import AuthStreams

extension EmulatedIdentityToolkit {
    /// `accounts:signUp`: creates a user without any identity. E-mail and password are not emulated.
    func signUp(_ request: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(
            request,
            members: ["returnSecureToken", "email", "password", "displayName", "idToken", "tenantId", "clientType"])
        guard !body.has(anyOf: "email", "password", "idToken") else { throw .notImplemented }
        guard context.configuration.firebase.allowsAnonymousUsers else {
            throw IdentityToolkitError("ADMIN_ONLY_OPERATION")
        }
        let now = context.now
        let account = accounts.withLock { $0.signUpAnonymously(now: now) }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id),
        ]
        guard try body.bool("returnSecureToken") else { return .object(answer) }
        answer.merge(tokens(for: account, signInProvider: "anonymous", request: request, in: context)) { $1 }
        return .object(answer)
    }
}
