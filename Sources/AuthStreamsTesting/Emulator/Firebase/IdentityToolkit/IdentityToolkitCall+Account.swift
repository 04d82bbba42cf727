import AuthStreams
import Foundation

extension IdentityToolkitCall {
    /// `accounts:lookup`: returns the user of an ID token.
    func lookup() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["idToken", "tenantId", "delegatedProjectNumber"])
        let account = try account(idToken: body.string("idToken")).account
        return ["kind": "identitytoolkit#GetAccountInfoResponse", "users": [Self.describe(account)]]
    }

    /// `accounts:delete`: deletes the user of an ID token, if they signed in within the last five minutes.
    func delete() throws(IdentityToolkitError) -> AuthJSON {
        // The SDK for Apple systems also sends the uid, which the ID token says.
        let body = try body(["idToken", "localId", "tenantId", "delegatedProjectNumber"])
        let account = try account(idToken: body.string("idToken"), within: Self.recentSignIn)
        _ = accounts.withLock { $0.remove(account.id) }
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }

    static func describe(_ account: FirebaseAccount) -> AuthJSON {
        var user: [String: AuthJSON] = [
            "localId": .string(account.id),
            "validSince": .string("\(Int64(account.validSince.timeIntervalSince1970))"),
            "createdAt": .string(milliseconds(account.createdAt)),
            "lastLoginAt": .string(milliseconds(account.lastSignInAt)),
            "lastRefreshAt": .string(account.lastRefreshAt.formatted(.iso8601)),
        ]
        let texts = ["email": account.email, "displayName": account.displayName, "photoUrl": account.photoURL]
        for (name, text) in texts { user[name] = text.map(AuthJSON.string) }
        if account.email != nil { user["emailVerified"] = .bool(account.isEmailVerified) }
        if account.isCustom { user["customAuth"] = true }
        if account.isDisabled { user["disabled"] = true }
        if !account.secondFactors.isEmpty { user["mfaInfo"] = describe(account.secondFactors) }
        // Production shows a client this text in place of the hash.
        if account.password != nil { user["passwordHash"] = "UkVEQUNURUQ=" }
        if account.signsInByMailLink { user["emailLinkSignin"] = true }
        if !account.claims.isEmpty {
            // A JSON text inside a JSON text, as the Admin SDK writes custom claims.
            user["customAttributes"] = .string(String(decoding: AuthJSON.object(account.claims).data, as: UTF8.self))
        }
        if !account.providerInfo.isEmpty { user["providerUserInfo"] = .array(account.providerInfo) }
        return .object(user)
    }

    static func describe(_ identity: FirebaseAccount.Identity) -> AuthJSON {
        var info: [String: AuthJSON] = [
            "providerId": .string(identity.providerID), "rawId": .string(identity.rawID),
            "federatedId": .string(identity.federatedID),
        ]
        let texts = ["email": identity.email, "displayName": identity.displayName, "photoUrl": identity.photoURL]
        for (name, text) in texts { info[name] = text.map(AuthJSON.string) }
        return .object(info)
    }

    private static func milliseconds(_ date: Date) -> String { "\(Int64(date.timeIntervalSince1970 * 1000))" }
}

extension IdentityToolkitCall {
    private static let members: Set<String> = [
        "idToken", "deleteProvider", "returnSecureToken", "tenantId", "delegatedProjectNumber", "displayName",
        "photoUrl", "email", "password", "deleteAttribute", "oobCode", "disableUser",
    ]

    /// `accounts:update`: removes identities from the user of an ID token, the last one too, and changes name and
    /// picture. The tokens stay valid, so the answer has none. The password and the address are ``updateEmail(by:)``.
    func update() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(Self.members)
        guard !body.has(anyOf: "disableUser") else { throw IdentityToolkitError("OPERATION_NOT_ALLOWED") }
        if let answer = try updateEmail(by: body) { return answer }
        let removed = try body.strings("deleteAttribute")
        guard removed.allSatisfy(["DISPLAY_NAME", "PHOTO_URL"].contains) else { throw .notImplemented }
        let (name, photo) = (try body.string("displayName"), try body.string("photoUrl"))
        let providers = try body.strings("deleteProvider")
        let recent = providers.isEmpty ? nil : project.recentSignInToUnlink
        let id = try account(idToken: body.string("idToken"), within: recent).id
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            _ = state.update(id) { account in
                account.displayName = removed.contains("DISPLAY_NAME") ? nil : name ?? account.displayName
                account.photoURL = removed.contains("PHOTO_URL") ? nil : photo ?? account.photoURL
                account.unlink(providers)
            }
            guard let account = state[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
            return account
        }
        return .object(Self.changed(account))
    }

    /// What the answers to all changes say of the user.
    static func changed(_ account: FirebaseAccount) -> [String: AuthJSON] {
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(account.id),
        ]
        let texts = ["displayName": account.displayName, "photoUrl": account.photoURL, "email": account.email]
        for (name, text) in texts { answer.add(name, text) }
        if account.email != nil { answer["emailVerified"] = .bool(account.isEmailVerified) }
        if !account.providerInfo.isEmpty { answer["providerUserInfo"] = .array(account.providerInfo) }
        return answer
    }
}

extension FirebaseAccount {
    /// The identities as Firebase lists them. A password and mail links are one provider.
    fileprivate var providerInfo: [AuthJSON] {
        let own: AuthJSON? = email.map { email in
            [
                "providerId": "password", "rawId": .string(email), "federatedId": .string(email),
                "email": .string(email),
            ]
        }
        return (hasEmailProvider ? [own].compactMap(\.self) : [])
            + identities.map(IdentityToolkitCall.describe(_:))
    }
}
