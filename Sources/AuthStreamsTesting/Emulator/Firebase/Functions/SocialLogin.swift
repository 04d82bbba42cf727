import AuthStreams
import AuthStreamsFirebase
import Foundation
import LoopbackHTTP

/// The project's callable function that turns a Kakao or Naver credential into a custom token.
///
/// It accepts only credentials that are bound to this app: Kakao's ID token by its audience, Kakao's access token by
/// its `app_id`, Naver's code by the secret that redeems it. A Naver access token names no app and is refused. The
/// function writes the provider's data into the user's record, and makes no custom token for a user with a second
/// factor.
///
/// ```
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…", "accessToken": "…"}}    or "accessToken" alone
/// {"data": {"provider": "naver", "code": "…", "state": "…"}}       and "redirectURI" where there was one
/// → {"result": {"customToken": "…"}}
/// ```
///
/// For a signed-in caller it links and unlinks: `"action": "link"` answers with a custom token of the caller,
/// `"action": "unlink"`, with only the provider, with `{"unlinked": true}`. A linked identity signs in to the user it
/// is linked to. `"action": "reauthenticate"` is a sign-in that writes no record.
///
/// These are the names of the standard format; ``EmulatorConfiguration/Firebase/functionFormat`` may have others.
struct SocialLogin: EmulatorService {
    let addresses: FunctionAddresses
    let accounts: Lock<FirebaseAccounts>

    var hosts: [String] { addresses.hosts }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard addresses.contains(request) else { return nil }
        let framing = context.configuration.firebase.functionFormat.framing
        return await CallableRequest.answer(to: request, in: context, framing: framing) {
            (call) throws(CallableError) in
            let fields = try SocialFields(call, of: request, in: context)
            guard [.kakao, .naver].contains(fields.provider) else {
                throw CallableError(.invalidArgument, "The provider must be Kakao or Naver; Firebase knows the others.")
            }
            let token: String
            switch fields.action {
            case nil, .reauthenticate: token = try await customToken(for: fields, in: context)
            case .link: token = try await customToken(linking: fields, to: call, in: context)
            case .unlink:
                try unlink(fields.provider, from: call)
                return ["unlinked": true]
            }
            return context.configuration.firebase.functionFormat.answer.result(.string(token))
        }
    }

    private func customToken(
        for fields: SocialFields, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let (identity, now) = (try await identity(of: fields, in: context), context.now)
        let (uid, isNew) = try accounts.withLock { (state) throws(CallableError) in
            let uid = state.uid(of: identity.userID, from: fields.provider)
            try state[uid]?.requireCustomTokens()
            // A re-authentication must not create another user.
            return (uid, fields.action == nil && state.record(identity, of: uid, now: now))
        }
        return customToken(of: uid, from: fields.provider, isNew: isNew, in: context)
    }

    func customToken(
        of uid: String, from provider: ProviderID, isNew: Bool = false, in context: EmulatorContext
    ) -> String {
        var claims: [String: AuthJSON] = ["provider": .string(provider.rawValue)]
        if isNew { claims["isNewUser"] = true }
        return FirebaseTokens(context: context).customToken(uid: uid, claims: claims)
    }

    func identity(of fields: SocialFields, in context: EmulatorContext) async throws(CallableError) -> VerifiedIdentity
    {
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            return try await verifier.identity(of: fields.credential, from: fields.provider)
                ?? VerifiedIdentity(provider: fields.provider, userID: "")
        } catch {
            throw CallableError(error)
        }
    }
}

extension SocialLogin {
    /// Links an identity to the caller, and makes a custom token for the caller.
    func customToken(
        linking fields: SocialFields, to call: CallableRequest, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let caller = try caller(of: call)
        try caller.requireCustomTokens()
        let (identity, now) = (try await identity(of: fields, in: context), context.now)
        try accounts.withLock { (state) throws(CallableError) in
            try state.link(identity.userID, of: fields.provider, to: caller.id)
            _ = state.record(identity, of: caller.id, now: now)
        }
        return customToken(of: caller.id, from: fields.provider, in: context)
    }

    /// Removes an identity from the caller, unless it is the one in the caller's uid.
    func unlink(_ provider: ProviderID, from call: CallableRequest) throws(CallableError) {
        let caller = try caller(of: call).id
        guard !caller.hasPrefix("\(provider):") else {
            throw CallableError(.failedPrecondition, "The identity is the caller's uid, and stays.")
        }
        _ = accounts.withLock { $0.update(caller) { $0.functionIdentities[provider.rawValue] = nil } }
    }

    /// Returns the caller, if their account exists and is not disabled.
    private func caller(of call: CallableRequest) throws(CallableError) -> FirebaseAccount {
        guard let account = call.uid.flatMap({ uid in accounts.withLock { $0[uid] } }) else {
            throw CallableError(.unauthenticated, "No user is signed in, so there is no account to link to.")
        }
        guard !account.isDisabled else { throw .disabled }
        return account
    }
}

extension CallableError {
    init(_ refusal: CredentialRefusal) {
        switch refusal {
        case .malformed(let detail): self.init(.invalidArgument, detail)
        case .refused(let detail), .nonce(let detail): self.init(.unauthenticated, detail)
        case .unavailable(let detail): self.init(.unavailable, detail)
        }
    }
}

extension FirebaseAccounts {
    /// Returns the uid that a function's identity signs in to: that of the user it is linked to, otherwise its own.
    func uid(of identity: String, from provider: ProviderID) -> String {
        account(functionIdentity: identity, at: provider.rawValue)?.id ?? "\(provider):\(identity)"
    }

    /// Adds a function's identity to a user, unless it is another user's.
    fileprivate mutating func link(
        _ identity: String, of provider: ProviderID, to id: String
    ) throws(CallableError) {
        let owner = uid(of: identity, from: provider)
        guard owner == id || self[owner] == nil else {
            throw CallableError(.alreadyExists, "The identity is another account's.")
        }
        // The uid is this identity already.
        guard id != "\(provider):\(identity)" else { return }
        _ = update(id) { $0.functionIdentities[provider.rawValue] = identity }
    }
}

extension FirebaseAccount {
    /// Checks that a custom token may be made for the user.
    ///
    /// Firebase asks for no second factor at a custom token, so a user who has one would sign in without it.
    func requireCustomTokens() throws(CallableError) {
        guard !isDisabled else { throw .disabled }
        guard secondFactors.isEmpty else {
            throw CallableError(
                .failedPrecondition, "The account has a second factor.", reason: "SECOND_FACTOR_REQUIRED")
        }
    }
}

extension FirebaseAccounts {
    /// Adds a provider's data to a user's record, without replacing known values; creates the record if necessary.
    ///
    /// An address is stored only if the provider has verified it and no other user has it.
    ///
    /// - Returns: Whether the user is new.
    mutating func record(_ identity: VerifiedIdentity, of uid: String, now: Date) -> Bool {
        let known = self[uid]
        var account = known ?? FirebaseAccount(id: uid, now: now)
        if known == nil { account.isCustom = true }
        account.displayName = account.displayName ?? identity.displayName
        account.photoURL = account.photoURL ?? identity.photoURL
        if account.email == nil, identity.isEmailVerified, let email = identity.email, self.account(email: email) == nil
        {
            account.email = email
            account.isEmailVerified = true
        }
        save(account)
        return known == nil
    }
}

extension CallableError {
    static let disabled = Self(.permissionDenied, "The account is disabled.")
}

/// The addresses of a function: its name on the region's host, and its own URLs.
struct FunctionAddresses: Sendable {
    private let endpoints: Set<String>
    let hosts: [String]

    init(of project: EmulatorConfiguration.Firebase) {
        let urls = project.functionURLs.compactMap(URL.init(string:))
        endpoints = Set(
            urls.map { ($0.host() ?? "") + ($0.path().isEmpty ? "/" : $0.path()) }
                + ["\(project.functionsHost)/\(project.function)"])
        hosts = Set(urls.compactMap { $0.host() } + [project.functionsHost]).sorted()
    }

    func contains(_ request: EmulatorRequest) -> Bool { endpoints.contains(request.host + request.path) }
}
