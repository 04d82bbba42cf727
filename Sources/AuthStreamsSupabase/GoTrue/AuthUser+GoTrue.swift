import AuthStreams
import Foundation

extension AuthUser {
    /// Reads a user (`models/user.go`, `models/identity.go`).
    ///
    /// - Parameter names: The providers by their names at Supabase.
    /// - Throws: `invalidResponse` if it has no identifier.
    init(_ json: AuthJSON, names: [String: ProviderID]) throws(AuthError) {
        guard let id = json["id"]?.text else {
            throw AuthError(.invalidResponse, "The answer has no user with an 'id'. Check the project's URL.")
        }
        let metadata = json["user_metadata"]
        func value(_ names: String...) -> String? { names.lazy.compactMap { metadata?[$0]?.text }.first }
        self.init(
            id: id, email: json["email"]?.text, isEmailVerified: json["email_confirmed_at"]?.text != nil,
            displayName: value("full_name", "name"),
            photoURL: value("avatar_url", "picture").flatMap(URL.init(string:)),
            providers: (json["identities"]?.array ?? []).compactMap { identity in
                guard let name = identity["provider"]?.text else { return nil }
                let data = identity["identity_data"]
                return LinkedProvider(
                    id: names[name] ?? ProviderID(rawValue: name), userID: identity["id"]?.text,
                    email: data?["email"]?.text)
            },
            // The user cannot change it, unlike `user_metadata`.
            isAnonymous: json["is_anonymous"]?.bool ?? false, claims: json["app_metadata"]?.object ?? [:])
    }
}

extension ProfileChanges {
    /// The members of `user_metadata`. A null removes one (`models/json_map.go`, `UpdateUserMetaData`).
    ///
    /// Each value stands under the two names that the identities of providers have for it (`provider/provider.go`: `Claims`).
    var metadata: [String: AuthJSON] {
        var data: [String: AuthJSON] = [:]
        for name in displayName == nil ? [] : ["full_name", "name"] {
            data[name] = displayName?.value.map(AuthJSON.string) ?? .null
        }
        for name in photoURL == nil ? [] : ["avatar_url", "picture"] {
            data[name] = photoURL?.value.map { .string($0.absoluteString) } ?? .null
        }
        return data
    }
}

extension AuthJSON {
    /// The second factors of a user, those that wait for their first code among them (`models/factor.go`).
    var factors: [(factor: Challenge.Factor, isVerified: Bool)] {
        (self["factors"]?.array ?? []).compactMap { json in
            guard let id = json["id"]?.text, let kind = json["factor_type"]?.text else { return nil }
            let factor = Challenge.Factor(id: id, kind: kind, name: json["friendly_name"]?.text ?? json["phone"]?.text)
            return (factor, json["status"]?.string == "verified")
        }
    }

    /// The second factors by which a session becomes `aal2`.
    var secondFactors: [Challenge.Factor] { factors.filter(\.isVerified).map(\.factor) }
}
