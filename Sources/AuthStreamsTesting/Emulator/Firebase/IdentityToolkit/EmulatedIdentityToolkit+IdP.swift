import AuthStreams
import Foundation

extension EmulatedIdentityToolkit {
    private static let members: Set<String> = [
        "requestUri", "postBody", "returnSecureToken", "returnIdpCredential", "returnRefreshToken", "idToken",
        "autoCreate", "pendingToken", "pendingIdToken", "sessionId", "tenantId", "delegatedProjectNumber",
    ]

    /// `accounts:signInWithIdp`: signs in with a provider's ID token, or links it when an `idToken` comes along.
    func signInWithIdP(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> JSONValue {
        let body = try IdentityToolkitBody(request, members: Self.members)
        guard let requestURI = try body.string("requestUri") else { throw IdentityToolkitError("MISSING_REQUEST_URI") }
        guard URL(string: requestURI)?.scheme != nil else { throw IdentityToolkitError("INVALID_REQUEST_URI") }
        guard let postBody = try body.string("postBody") else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "There is no postBody.")
        }
        let assertion = try IdentityAssertion(postBody: postBody, in: context)
        var answer = Self.answer(for: assertion)

        let account: FirebaseAccount
        if let idToken = try body.string("idToken") {
            do {
                account = try link(assertion.identity, idToken: idToken, in: context)
            } catch {
                let conflicts = ["FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"]
                guard conflicts.contains(error.message), try body.bool("returnIdpCredential") else { throw error }
                answer["errorMessage"] = .string(error.message)
                return .object(answer)
            }
        } else {
            let now = context.now
            let outcome = try accounts.withLock { (state) throws(IdentityToolkitError) in
                try state.signIn(with: assertion.identity, now: now)
            }
            switch outcome {
            case .needsConfirmation(let verifiedProviders):
                answer["needConfirmation"] = true
                answer["verifiedProvider"] = .array(verifiedProviders.map(JSONValue.string))
                return .object(answer)
            case .signedIn(let signedIn, let isNew):
                account = signedIn
                if isNew { answer["isNewUser"] = true }
            }
        }
        answer["localId"] = .string(account.id)
        answer["emailVerified"] = .bool(account.isEmailVerified)
        answer["email"] = account.email.map(JSONValue.string)
        guard try body.bool("returnSecureToken") else { return .object(answer) }
        let tokens = tokens(
            for: account, signInProvider: assertion.identity.providerID, request: request, in: context)
        return .object(answer.merging(tokens) { _, token in token })
    }

    private func link(
        _ identity: FirebaseAccount.Identity, idToken: String, in context: EmulatorContext
    ) throws(IdentityToolkitError) -> FirebaseAccount {
        let id = try account(idToken: idToken, in: context).account.id
        return try accounts.withLock { (state) throws(IdentityToolkitError) in try state.link(identity, to: id) }
    }

    /// What is told of the identity, whether or not it led to a sign-in. Absent members stay absent, as in production.
    private static func answer(for assertion: IdentityAssertion) -> [String: JSONValue] {
        let identity = assertion.identity
        var answer: [String: JSONValue] = [
            "kind": "identitytoolkit#VerifyAssertionResponse",
            "federatedId": .string(identity.federatedID),
            "providerId": .string(identity.providerID),
            "rawUserInfo": .string(String(decoding: JSONValue.object(assertion.claims).data, as: UTF8.self)),
            "oauthIdToken": .string(assertion.idToken),
        ]
        let texts = [
            "email": identity.email, "displayName": identity.displayName, "fullName": identity.displayName,
            "firstName": assertion.givenName, "lastName": assertion.familyName, "photoUrl": identity.photoURL,
            "oauthAccessToken": assertion.accessToken,
        ]
        for (name, text) in texts { answer[name] = text.map(JSONValue.string) }
        if identity.email != nil { answer["emailVerified"] = .bool(identity.isEmailVerified) }
        return answer
    }
}
