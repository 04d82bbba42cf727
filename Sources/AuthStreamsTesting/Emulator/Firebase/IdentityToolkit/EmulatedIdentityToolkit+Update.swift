import AuthStreams

extension EmulatedIdentityToolkit {
    private static let members: Set<String> = [
        "idToken", "deleteProvider", "returnSecureToken", "tenantId", "delegatedProjectNumber", "displayName",
        "photoUrl", "email", "password", "deleteAttribute", "oobCode",
    ]

    /// `accounts:update`: removes identities from the user of an ID token, the last one too, and changes name and
    /// picture. The tokens stay valid, so the answer has none. Other changes are not emulated.
    func update(_ request: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> AuthJSON {
        let body = try IdentityToolkitBody(request, members: Self.members)
        guard !body.has(anyOf: "email", "password", "oobCode") else { throw .notImplemented }
        let removed = try body.strings("deleteAttribute")
        guard removed.allSatisfy(["DISPLAY_NAME", "PHOTO_URL"].contains) else { throw .notImplemented }
        let (name, photo) = (try body.string("displayName"), try body.string("photoUrl"))
        let providers = try body.strings("deleteProvider")
        let recent = providers.isEmpty ? nil : context.configuration.firebase.recentSignInToUnlink
        let id = try account(idToken: body.string("idToken"), within: recent, in: context).id
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            _ = state.update(id) { account in
                account.displayName = removed.contains("DISPLAY_NAME") ? nil : name ?? account.displayName
                account.photoURL = removed.contains("PHOTO_URL") ? nil : photo ?? account.photoURL
            }
            return try state.unlink(providers, from: id)
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(account.id),
        ]
        answer["displayName"] = account.displayName.map(AuthJSON.string)
        answer["photoUrl"] = account.photoURL.map(AuthJSON.string)
        answer["email"] = account.email.map(AuthJSON.string)
        if account.email != nil { answer["emailVerified"] = .bool(account.isEmailVerified) }
        if !account.identities.isEmpty {
            answer["providerUserInfo"] = .array(account.identities.map(Self.describe(_:)))
        }
        return .object(answer)
    }
}
