import AuthStreams

extension EmulatedIdentityToolkit {
    private static let members: Set<String> = [
        "idToken", "deleteProvider", "returnSecureToken", "tenantId", "delegatedProjectNumber", "displayName",
        "photoUrl", "email", "password", "deleteAttribute", "oobCode",
    ]

    /// `accounts:update` with `deleteProvider`: removes identities from the user of an ID token, the last one too. The
    /// tokens stay valid, so the answer has none. Other changes are not emulated.
    func update(_ request: EmulatorRequest, in context: EmulatorContext) throws(IdentityToolkitError) -> JSONValue {
        let body = try IdentityToolkitBody(request, members: Self.members)
        guard !body.has(anyOf: "displayName", "photoUrl", "email", "password", "deleteAttribute", "oobCode") else {
            throw .notImplemented
        }
        let recent = context.configuration.firebase.recentSignInToUnlink
        let id = try account(idToken: body.string("idToken"), within: recent, in: context).id
        let providers = try body.strings("deleteProvider")
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            try state.unlink(providers, from: id)
        }
        var answer: [String: JSONValue] = [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(account.id),
        ]
        answer["email"] = account.email.map(JSONValue.string)
        if account.email != nil { answer["emailVerified"] = .bool(account.isEmailVerified) }
        if !account.identities.isEmpty {
            answer["providerUserInfo"] = .array(account.identities.map(Self.describe(_:)))
        }
        return .object(answer)
    }
}
