import Foundation

extension AuthUser {
    /// Reads a user by a contract's names. Only the identifier is required; a member of another type is left out.
    init(id: String, _ members: [String: JSONValue], by names: ServerContract.UserNames) {
        self.init(
            id: id, email: members[names.email]?.text,
            isEmailVerified: members[names.emailVerified]?.lenientBool ?? false,
            displayName: members[names.displayName]?.text,
            photoURL: members[names.photoURL]?.text.flatMap(URL.init(string:)),
            providers: (members[names.providers]?.array ?? []).compactMap { LinkedProvider($0, by: names) },
            isAnonymous: members[names.isAnonymous]?.lenientBool ?? false,
            claims: members[names.claims]?.object ?? [:])
    }
}

extension AuthUser.LinkedProvider {
    fileprivate init?(_ value: JSONValue, by names: ServerContract.UserNames) {
        guard let id = value[names.providerID]?.text else { return nil }
        self.init(
            id: ProviderID(rawValue: id), userID: value[names.providerUserID]?.text,
            email: value[names.providerEmail]?.text)
    }
}
