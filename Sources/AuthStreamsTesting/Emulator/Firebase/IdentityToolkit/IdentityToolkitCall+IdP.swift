import AuthStreams
import Foundation

/// What a caller of `accounts:signInWithIdp` asks for.
private struct IdPQuestion {
    private static let members: Set<String> = [
        "requestUri", "postBody", "returnSecureToken", "returnIdpCredential", "returnRefreshToken", "idToken",
        "autoCreate", "pendingToken", "pendingIdToken", "sessionId", "tenantId", "delegatedProjectNumber",
    ]

    /// The ID token of the user who is to have the identity; `nil` for a sign-in.
    let idToken: String?
    /// The token of an assertion that led to a conflict before.
    let pendingToken: String?
    /// The form with the provider's tokens.
    let postBody: String?
    /// Whether a sign-in makes a user of a new identity.
    let makesUsers: Bool
    /// Whether a link that fails is answered with the identity.
    let wantsConflicts: Bool
    let wantsTokens: Bool

    init(_ request: EmulatorRequest) throws(IdentityToolkitError) {
        let body = try IdentityToolkitBody(request, members: Self.members)
        guard let requestURI = try body.string("requestUri") else { throw IdentityToolkitError("MISSING_REQUEST_URI") }
        guard URL(string: requestURI)?.scheme != nil else { throw IdentityToolkitError("INVALID_REQUEST_URI") }
        idToken = try body.string("idToken")
        pendingToken = try body.string("pendingToken")
        postBody = try body.string("postBody")
        makesUsers = try body.bool("autoCreate", default: true)
        wantsConflicts = try body.bool("returnIdpCredential")
        wantsTokens = try body.bool("returnSecureToken")
    }
}

extension IdentityToolkitCall {
    /// `accounts:signInWithIdp`: signs in with a provider's ID token, or links it if there is an `idToken`.
    func signInWithIdP() throws(IdentityToolkitError) -> AuthJSON {
        let (question, now) = (try IdPQuestion(request), context.now)
        // First, so that a caller without a valid session consumes no assertion.
        let caller = try userID(idToken: question.idToken)
        let assertion = try assertion(of: question)
        var answer = assertion.members
        let outcome = try accounts.withLock { (state) throws(IdentityToolkitError) in
            if let caller { return try state.link(assertion.identity, to: caller) }
            return try state.signIn(with: assertion.identity, makesUsers: question.makesUsers, now: now)
        }
        switch outcome {
        case .signedIn(let account, let isNew):
            if isNew { answer["isNewUser"] = true }
            answer["localId"] = .string(account.id)
            answer["emailVerified"] = .bool(account.isEmailVerified)
            answer["email"] = account.email.map(AuthJSON.string)
            let provider = assertion.identity.providerID
            if let factor = self.question(to: account, signInProvider: provider) {
                answer.merge(factor) { $1 }
            } else if question.wantsTokens {
                answer.merge(tokens(for: account, signInProvider: provider)) { $1 }
            }
            return .object(answer)
        case .needsConfirmation(let verifiedProviders):
            answer["needConfirmation"] = true
            answer["verifiedProvider"] = .strings(verifiedProviders)
        case .conflict(let message):
            guard question.wantsConflicts else { throw IdentityToolkitError(message) }
            answer["errorMessage"] = .string(message)
        }
        // The assertion can be presented once more, for ten minutes.
        answer["pendingToken"] = .string(accounts.withLock { $0.pendingAssertions.add((assertion, now + 600)) })
        return .object(answer)
    }

    /// Reads the presented assertion: a provider's tokens, or the pending token of a conflict.
    private func assertion(of question: IdPQuestion) throws(IdentityToolkitError) -> IdentityAssertion {
        if let token = question.pendingToken {
            guard let kept = accounts.withLock({ $0.pendingAssertions.take(token) }), context.now < kept.until
            else { throw IdentityToolkitError("INVALID_PENDING_TOKEN") }
            return kept.assertion
        }
        guard let postBody = question.postBody else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "There is no postBody.")
        }
        let assertion = try IdentityAssertion(postBody: postBody, in: context)
        guard assertion.claims["nonce"] == nil || accounts.withLock({ $0.spentAssertions.insert(assertion.idToken) })
        else {
            throw IdentityToolkitError(
                "MISSING_OR_INVALID_NONCE", "Duplicate credential received. Please try again with a new credential.")
        }
        return assertion
    }
}

extension IdentityAssertion {
    /// The identity's members, whether or not it led to a sign-in. Absent members stay absent, as in production.
    fileprivate var members: [String: AuthJSON] {
        var members: [String: AuthJSON] = [
            "kind": "identitytoolkit#VerifyAssertionResponse", "federatedId": .string(identity.federatedID),
            "providerId": .string(identity.providerID), "oauthIdToken": .string(idToken),
            "rawUserInfo": .string(String(decoding: AuthJSON.object(claims).data, as: UTF8.self)),
        ]
        let texts = [
            "email": identity.email, "displayName": identity.displayName, "fullName": identity.displayName,
            "firstName": givenName, "lastName": familyName, "photoUrl": identity.photoURL,
            "oauthAccessToken": accessToken,
        ]
        for (name, text) in texts { members.add(name, text) }
        if identity.email != nil { members["emailVerified"] = .bool(identity.isEmailVerified) }
        return members
    }
}

/// A provider's assertion about a person: the form inside `postBody`, with a checked ID token.
struct IdentityAssertion {
    private(set) var identity: FirebaseAccount.Identity
    let idToken: String
    let accessToken: String?
    let claims: [String: AuthJSON]
    /// Apple's profile beside the token at the first sign-in. Unsigned, so it only provides a name.
    let profile: AuthJSON?

    var givenName: String? { claims["given_name"]?.string ?? profile?["name"]?["firstName"]?.string }
    var familyName: String? { claims["family_name"]?.string ?? profile?["name"]?["lastName"]?.string }

    /// Reads and checks an assertion.
    ///
    /// - Parameters:
    ///   - postBody: The form, as the client sent it.
    ///   - context: The emulator, whose signer knows the providers' keys.
    init(postBody: String, in context: EmulatorContext) throws(IdentityToolkitError) {
        guard let items = FormCoding.decode(postBody) else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "The postBody is not a form.")
        }
        let form = EmulatorParameters(items)
        guard let providerID = form["providerId"] else {
            throw IdentityToolkitError("INVALID_CREDENTIAL_OR_PROVIDER_ID", "The postBody has no providerId.")
        }
        guard let rules = ServerIDTokenVerifier.firebase(of: providerID, in: context.configuration) else {
            throw IdentityToolkitError("OPERATION_NOT_ALLOWED", "The identity provider is not enabled.")
        }
        guard let idToken = form["id_token"] else {
            if form["access_token"] != nil, providerID == ProviderID.google.rawValue { throw .notImplemented }
            throw IdentityToolkitError("INVALID_IDP_RESPONSE", "The postBody has no id_token.")
        }
        let claims: [String: AuthJSON]
        do throws(CredentialRefusal) {
            claims = try rules.claims(of: idToken, rawNonce: form["nonce"], in: context)
        } catch { throw IdentityToolkitError(error) }
        self.idToken = idToken
        self.claims = claims
        accessToken = form["access_token"]
        profile = form["user"].flatMap { AuthJSON(json: Data($0.utf8)) }
        var identity = FirebaseAccount.Identity(providerID: providerID, rawID: claims["sub"]?.string ?? "")
        identity.email = claims["email"]?.string
        identity.isEmailVerified = claims["email_verified"]?.lenientBool ?? false
        identity.photoURL = claims["picture"]?.string
        self.identity = identity
        let parts = [givenName, familyName].compactMap(\.self)
        self.identity.displayName = claims["name"]?.string ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
    }
}

extension ServerIDTokenVerifier {
    /// The rules for the ID tokens of a provider that the project's console enables; `nil` for another one.
    static func firebase(of providerID: String, in configuration: EmulatorConfiguration) -> Self? {
        let provider = ProviderID(rawValue: providerID)
        guard configuration.firebase.enabledProviders.contains(provider) else { return nil }
        switch provider {
        case .apple: return .apple(in: configuration)
        case .google:
            var rules = Self.google(in: configuration)
            // The SDKs send no nonce, and Google's has put one into their tokens that an app cannot read.
            rules.nonceRule = .hashedIfSent
            return rules
        default: return nil
        }
    }
}

extension IdentityToolkitError {
    init(_ refusal: CredentialRefusal) {
        switch refusal {
        case .nonce(let detail): self.init("MISSING_OR_INVALID_NONCE", detail)
        case .malformed(let detail), .refused(let detail): self.init("INVALID_IDP_RESPONSE", detail)
        case .unavailable:
            self.init(
                httpStatus: 503, message: "The provider did not answer.", reason: "backendError", status: "UNAVAILABLE")
        }
    }
}
