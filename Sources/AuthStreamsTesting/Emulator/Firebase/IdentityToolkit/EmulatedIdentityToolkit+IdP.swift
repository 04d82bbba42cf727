import AuthStreams
import Foundation

extension EmulatedIdentityToolkit {
    private static let members: Set<String> = [
        "requestUri", "postBody", "returnSecureToken", "returnIdpCredential", "returnRefreshToken", "idToken",
        "autoCreate", "pendingToken", "pendingIdToken", "sessionId", "tenantId", "delegatedProjectNumber",
    ]

    /// `accounts:signInWithIdp`: signs in with a provider's ID token, or links it if there is an `idToken`.
    func signInWithIdP(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: Self.members)
        guard let requestURI = try body.string("requestUri") else { throw IdentityToolkitError("MISSING_REQUEST_URI") }
        guard URL(string: requestURI)?.scheme != nil else { throw IdentityToolkitError("INVALID_REQUEST_URI") }
        // First, so that a caller without a valid session consumes no assertion.
        if let idToken = try body.string("idToken") { _ = try account(idToken: idToken, in: context) }
        let assertion = try assertion(of: body, in: context)
        var answer = Self.answer(for: assertion)

        let account: FirebaseAccount
        if let idToken = try body.string("idToken") {
            do {
                account = try link(assertion.identity, idToken: idToken, in: context)
            } catch {
                let conflicts = ["FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"]
                guard conflicts.contains(error.message), try body.bool("returnIdpCredential") else { throw error }
                answer["errorMessage"] = .string(error.message)
                answer["pendingToken"] = .string(keep(assertion, in: context))
                return .object(answer)
            }
        } else {
            let now = context.now
            let makesUsers = try body.bool("autoCreate", default: true)
            let outcome = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.signIn(with: assertion.identity, makesUsers: makesUsers, now: now)
            }
            switch outcome {
            case .needsConfirmation(let verifiedProviders):
                answer["needConfirmation"] = true
                answer["verifiedProvider"] = .array(verifiedProviders.map(AuthJSON.string))
                answer["pendingToken"] = .string(keep(assertion, in: context))
                return .object(answer)
            case .signedIn(let signedIn, let isNew):
                account = signedIn
                if isNew { answer["isNewUser"] = true }
            }
        }
        answer["localId"] = .string(account.id)
        answer["emailVerified"] = .bool(account.isEmailVerified)
        answer["email"] = account.email.map(AuthJSON.string)
        if let question = question(to: account, signInProvider: assertion.identity.providerID, in: context) {
            return .object(answer.merging(question) { $1 })
        }
        guard try body.bool("returnSecureToken") else { return .object(answer) }
        let tokens = tokens(
            for: account, signInProvider: assertion.identity.providerID, request: request, in: context)
        return .object(answer.merging(tokens) { _, token in token })
    }

    /// Reads the presented assertion: a provider's tokens, or the pending token of a conflict.
    private func assertion(
        of body: IdentityToolkitBody, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> IdentityAssertion {
        let now = context.now
        if let token = try body.string("pendingToken") {
            guard let kept = accounts.withLock({ $0.pendingAssertions.removeValue(forKey: token) }), now < kept.until
            else { throw IdentityToolkitError("INVALID_PENDING_TOKEN") }
            return kept.assertion
        }
        guard let postBody = try body.string("postBody") else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "There is no postBody.")
        }
        let assertion = try IdentityAssertion(postBody: postBody, in: context)
        if assertion.claims["nonce"] != nil {
            guard accounts.withLock({ $0.spentAssertions.insert(assertion.idToken).inserted }) else {
                throw IdentityToolkitError(
                    "MISSING_OR_INVALID_NONCE",
                    "Duplicate credential received. Please try again with a new credential.")
            }
        }
        return assertion
    }

    /// Keeps an assertion that led to a conflict, for ten minutes and one use.
    private func keep(_ assertion: IdentityAssertion, in context: EmulatorContext) -> String {
        let token = Self.randomToken()
        let until = context.now + 600
        accounts.withLock { $0.pendingAssertions[token] = (assertion, until) }
        return token
    }

    private func link(
        _ identity: FirebaseAccount.Identity, idToken: String, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        let id = try account(idToken: idToken, in: context).account.id
        return try accounts.withLock { (state) throws(IdentityToolkitError) in try state.link(identity, to: id) }
    }

    /// Returns the identity's members, whether or not it led to a sign-in. Absent members stay absent, as in
    /// production.
    private static func answer(for assertion: IdentityAssertion) -> [String: AuthJSON] {
        let identity = assertion.identity
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#VerifyAssertionResponse",
            "federatedId": .string(identity.federatedID),
            "providerId": .string(identity.providerID),
            "rawUserInfo": .string(String(decoding: AuthJSON.object(assertion.claims).data, as: UTF8.self)),
            "oauthIdToken": .string(assertion.idToken),
        ]
        let texts = [
            "email": identity.email, "displayName": identity.displayName, "fullName": identity.displayName,
            "firstName": assertion.givenName, "lastName": assertion.familyName, "photoUrl": identity.photoURL,
            "oauthAccessToken": assertion.accessToken,
        ]
        for (name, text) in texts { answer[name] = text.map(AuthJSON.string) }
        if identity.email != nil { answer["emailVerified"] = .bool(identity.isEmailVerified) }
        return answer
    }
}
