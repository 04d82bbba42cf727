import Foundation

extension AuthUser {
    /// Reads a user by a contract's names. Only the identifier is required; a member of another type is left out.
    init(id: String, _ value: AuthJSON, by contract: ServerContract) {
        let names = contract.user
        let providers = value.member(at: names.providers)?.array ?? []
        self.init(
            id: id, email: value.member(at: names.email)?.text,
            isEmailVerified: value.member(at: names.emailVerified)?.lenientBool ?? false,
            displayName: value.member(at: names.displayName)?.text,
            photoURL: value.member(at: names.photoURL)?.text.flatMap(URL.init(string:)),
            providers: providers.compactMap { LinkedProvider($0, by: contract) },
            isAnonymous: value.member(at: names.isAnonymous)?.lenientBool ?? false,
            claims: value.member(at: names.claims)?.object ?? [:])
    }
}

extension AuthUser.LinkedProvider {
    fileprivate init?(_ value: AuthJSON, by contract: ServerContract) {
        let names = contract.user
        guard let id = value.member(at: names.providerID)?.text else { return nil }
        self.init(
            id: contract.provider(named: id), userID: value.member(at: names.providerUserID)?.text,
            email: value.member(at: names.providerEmail)?.text)
    }
}
