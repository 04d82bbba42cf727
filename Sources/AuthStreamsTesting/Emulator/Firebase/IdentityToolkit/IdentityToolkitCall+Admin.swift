import AuthStreams
import Foundation

/// Identity Toolkit for a project's servers: `/v1/projects/PROJECT/…`, as Firebase's Admin SDKs call it.
///
/// The caller has an access token of Google's in production. An Admin SDK that was told of an emulator sends `Bearer owner` in its
/// place, which is taken, as is every token of that form (`ya29.…`).
extension IdentityToolkitCall {
    /// Returns the method of such a request; `nil` for one of a client.
    func administration() throws(IdentityToolkitError) -> Method? {
        let path = EmulatedIdentityToolkit.administrationPath
        guard request.host == EmulatedIdentityToolkit.host, request.path.hasPrefix(path) else { return nil }
        let rest = request.path.dropFirst(path.count)
        let name = rest.prefix { $0 != "/" && $0 != ":" }
        guard let token = request.bearerToken else { throw .missingCredential }
        guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else { throw .invalidCredential }
        guard name == project.projectID else {
            throw IdentityToolkitError("PROJECT_NOT_FOUND", "The emulator's project is another one.")
        }
        let methods: [String: Method] = [
            "POST /accounts": .init(run: createUser),
            "POST /accounts:lookup": .init(run: lookUpUsers),
            "GET /accounts:batchGet": .init(run: listUsers),
            "POST /accounts:update": .init(run: updateUser),
            "POST /accounts:delete": .init(run: deleteUser),
            "POST /accounts:batchDelete": .init(run: deleteUsers),
            "POST /accounts:sendOobCode": .init(run: sendMail),
            "POST :createSessionCookie": .init(run: createSessionCookie),
        ]
        return methods["\(request.method) \(rest.dropFirst(name.count))"] ?? .notEmulated
    }

    // MARK: Reading

    /// `accounts:lookup`: the users of the uids, addresses and identities, each once. Unknown ones are left out.
    private func lookUpUsers() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["localId", "email", "phoneNumber", "federatedUserId"])
        let (ids, emails) = (try body.strings("localId"), try body.strings("email"))
        let identities = try body.objects("federatedUserId", members: ["providerId", "rawId"])
            .map { identity throws(IdentityToolkitError) in
                (try identity.string("providerId") ?? "", try identity.string("rawId") ?? "")
            }
        let found = accounts.withLock { state in
            ids.map { state[$0] } + emails.map { state.account(email: $0) }
                + identities.map { state.account(providerID: $0, rawID: $1) }
        }
        var known: Set<String> = []
        let users = found.compactMap(\.self).filter { known.insert($0.id).inserted }
        let kind: [String: AuthJSON] = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        return .object(users.isEmpty ? kind : kind.merging(["users": .array(users.map(Self.describe))]) { $1 })
    }

    /// `accounts:batchGet`: a page of all users, in the order of their uids.
    private func listUsers() throws(IdentityToolkitError) -> AuthJSON {
        guard let size = Int(request.query["maxResults"] ?? "20"), (1...1000).contains(size) else {
            throw IdentityToolkitError("INVALID_PAGE_SELECTION", "maxResults is from 1 to 1000.")
        }
        let page = accounts.withLock(\.all).sorted { $0.id < $1.id }
            .filter { $0.id > request.query["nextPageToken"] ?? "" }.prefix(size)
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#DownloadAccountResponse", "users": .array(page.map(Self.describe)),
        ]
        if page.count == size { answer["nextPageToken"] = page.last.map { .string($0.id) } }
        return .object(answer)
    }

    // MARK: Writing

    /// `accounts`: makes a user, of that uid if one is given.
    private func createUser() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(Self.membersOfUser.union(["disabled", "mfaInfo"]))
        let id = try body.string("localId") ?? FirebaseAccounts.makeID()
        guard id.count <= 128 else { throw IdentityToolkitError("INVALID_LOCAL_ID") }
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard state[id] == nil else { throw IdentityToolkitError("DUPLICATE_LOCAL_ID") }
            var account = FirebaseAccount(id: id, now: context.now)
            try Self.write(body, to: &account, in: state)
            account.isDisabled = try body.bool("disabled")
            state.save(account)
            return account
        }
        var answer: [String: AuthJSON] = [
            "kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.id),
        ]
        answer["email"] = account.email.map(AuthJSON.string)
        answer["displayName"] = account.displayName.map(AuthJSON.string)
        return .object(answer)
    }

    /// `accounts:update` of any user: profile, address, password, custom claims, whether it is disabled, and since when its tokens
    /// are valid.
    private func updateUser() throws(IdentityToolkitError) -> AuthJSON {
        let own: Set = ["disableUser", "customAttributes", "validSince", "deleteAttribute", "deleteProvider", "mfa"]
        let body = try body(Self.membersOfUser.union(own).union(["linkProviderUserInfo", "returnSecureToken"]))
        let id = try body.required("localId")
        let removed = try body.strings("deleteAttribute")
        guard removed.allSatisfy(["DISPLAY_NAME", "PHOTO_URL"].contains), !body.has(anyOf: "linkProviderUserInfo")
        else {
            throw .notImplemented
        }
        let (claims, providers) = (try body.customClaims, try body.strings("deleteProvider"))
        let isDisabled = body.has(anyOf: "disableUser") ? try body.bool("disableUser") : nil
        let factors = try body.object("mfa", members: ["enrollments"])
        guard factors?.has(anyOf: "enrollments") != true else { throw .notImplemented }
        // Sessions end with the password and the address, as with the Admin SDK's own method.
        let validSince = try body.date("validSince") ?? (body.has(anyOf: "password", "email") ? context.now : nil)
        let account = try accounts.withLock { (state) throws(IdentityToolkitError) in
            guard var account = state[id] else { throw IdentityToolkitError("USER_NOT_FOUND") }
            try Self.write(body, to: &account, in: state)
            account.unlink(providers)
            if removed.contains("DISPLAY_NAME") { account.displayName = nil }
            if removed.contains("PHOTO_URL") { account.photoURL = nil }
            if let claims { account.customClaims = claims }
            if let isDisabled { account.isDisabled = isDisabled }
            if factors != nil { account.secondFactors = [] }
            state.save(account)
            if let validSince { _ = state.revokeSessions(of: id, now: validSince) }
            return account
        }
        return .object(Self.changed(account))
    }

    private static let membersOfUser: Set = [
        "localId", "email", "password", "displayName", "photoUrl", "emailVerified", "phoneNumber",
    ]

    /// Writes what a new user and a changed one have in common.
    private static func write(
        _ body: IdentityToolkitBody, to account: inout FirebaseAccount, in state: FirebaseAccounts
    ) throws(IdentityToolkitError) {
        guard !body.has(anyOf: "phoneNumber", "mfaInfo") else { throw .notImplemented }
        if body.has(anyOf: "email") {
            let email = try body.email()
            guard [nil, account.id].contains(state.account(email: email)?.id) else {
                throw IdentityToolkitError("EMAIL_EXISTS")
            }
            (account.email, account.isEmailVerified) = (email, account.email == email && account.isEmailVerified)
        }
        if body.has(anyOf: "password") { account.password = Secret(try body.password("password")) }
        if body.has(anyOf: "emailVerified") { account.isEmailVerified = try body.bool("emailVerified") }
        account.displayName = try body.string("displayName") ?? account.displayName
        account.photoURL = try body.string("photoUrl") ?? account.photoURL
    }

    // MARK: Deleting

    /// `accounts:delete` of any user, however long ago the sign-in was.
    private func deleteUser() throws(IdentityToolkitError) -> AuthJSON {
        let id = try body(["localId"]).required("localId")
        guard accounts.withLock({ $0.remove(id) }) else { throw IdentityToolkitError("USER_NOT_FOUND") }
        return ["kind": "identitytoolkit#DeleteAccountResponse"]
    }

    /// `accounts:batchDelete`: deletes users. Unknown ones are no error; those that are enabled need `force`.
    private func deleteUsers() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["localIds", "force"])
        let (ids, isForced) = (try body.strings("localIds"), try body.bool("force"))
        guard (1...1000).contains(ids.count) else { throw IdentityToolkitError("LOCAL_ID_LIST_EXCEEDS_LIMIT") }
        let errors = accounts.withLock { state in
            ids.enumerated().compactMap { index, id -> AuthJSON? in
                guard isForced || state[id]?.isDisabled ?? true else {
                    return [
                        "index": .integer(Int64(index)), "localId": .string(id),
                        "message": "NOT_DISABLED : Disable the account before batch deletion.",
                    ]
                }
                _ = state.remove(id)
                return nil
            }
        }
        return errors.isEmpty ? [:] : ["errors": .array(errors)]
    }

    // MARK: Session cookies

    /// `createSessionCookie`: a cookie for the user of an ID token, for 5 minutes to 14 days.
    private func createSessionCookie() throws(IdentityToolkitError) -> AuthJSON {
        let body = try body(["idToken", "validDuration", "tenantId"])
        let lifetime = try body.integer("validDuration") ?? 1_209_600
        guard (300...1_209_600).contains(lifetime) else { throw IdentityToolkitError("INVALID_DURATION") }
        let claims = try account(idToken: body.string("idToken")).claims
        return ["sessionCookie": .string(FirebaseTokens(context: context).sessionCookie(claims, lifetime: lifetime))]
    }
}

extension IdentityToolkitBody {
    /// Returns a date up to the year 9999, given in seconds; `nil` if it is absent.
    fileprivate func date(_ name: String) throws(IdentityToolkitError) -> Date? {
        guard let seconds = try integer(name) else { return nil }
        guard (0...253_402_300_799).contains(seconds) else { throw .invalidPayload("Invalid value at '\(name)'.") }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    fileprivate func required(_ name: String) throws(IdentityToolkitError) -> String {
        guard let value = try string(name) else { throw IdentityToolkitError("MISSING_LOCAL_ID") }
        return value
    }

    /// The custom claims, which are a JSON text inside the JSON text; `nil` if they are absent.
    fileprivate var customClaims: [String: AuthJSON]? {
        get throws(IdentityToolkitError) {
            guard let text = try string("customAttributes") else { return nil }
            guard text.utf8.count <= 1000 else { throw IdentityToolkitError("CLAIMS_TOO_LARGE") }
            guard let claims = AuthJSON(json: Data(text.utf8))?.object else {
                throw IdentityToolkitError("INVALID_CLAIMS")
            }
            if let name = FirebaseTokens.reservedClaims.intersection(claims.keys).min() {
                throw IdentityToolkitError("FORBIDDEN_CLAIM", name)
            }
            return claims
        }
    }
}
