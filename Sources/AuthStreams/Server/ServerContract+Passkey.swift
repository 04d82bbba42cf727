import Foundation

extension ServerContract {
    /// The names in the requests and answers about passkeys.
    ///
    /// The options and the answers themselves are the JSON of WebAuthn Level 3 (sections 5.1.8 to 5.1.10), whose names do not change.
    ///
    /// ```swift
    /// contract.passkey.options = "publicKey"        // {"challengeID": "…", "publicKey": {"challenge": "…", …}}
    /// contract.passkey.response = "credential"      // {"challengeID": "…", "credential": {"id": "…", …}}
    /// contract.passkey.repeated = ["challengeID"]
    /// ```
    public struct PasskeyNames: Equatable, Sendable {
        /// The object with the options; an empty path if their members stand at the top.
        public var options = ""
        /// The object with the passkey's answer in a request; an empty path if its members stand at the top.
        public var response = ""
        /// The members of an answer with options that the next request repeats, such as an identifier of the challenge. They are
        /// text. A server that finds its challenge by a cookie or by the answer's `clientDataJSON` has none.
        public var repeated: [String] = []
        /// How the person is asked, in the request for the options of a new passkey: `conditional` if without a question. The answer
        /// then does not prove that they were present (section 7.1 step 15).
        public var mediation: String? = "mediation"
        /// The passkeys of the user.
        public var passkeys = "passkeys"
        /// A passkey's identifier. Required.
        public var id = "id"
        /// The name that the server gives it.
        public var name = "name"
        /// When it was made: a date as of ``SessionNames/expiresAt``.
        public var createdAt = "createdAt"
        /// When it last signed in.
        public var lastUsedAt = "lastUsedAt"

        /// Makes the documented names.
        package init() {}
    }

    /// Returns the options in an answer, and the members that the next request repeats, as ``Preparation/passkeyAssertion`` says.
    func passkeyOptions(in exchange: ServerExchange) throws(AuthError) -> AuthJSON {
        let payload = try payloadMember(of: exchange)
        let options = try payload.required(passkey.options, \.object)
        var members: [String: AuthJSON] = [:]
        for name in passkey.repeated { members[name] = .string(try payload.required(name, \.text)) }
        return ["publicKey": .object(options), "members": .object(members)]
    }

    /// Returns the user's passkeys in an answer.
    func passkeys(in exchange: ServerExchange) throws(AuthError) -> [Passkey] {
        try payloadMember(of: exchange).elements(of: passkey.passkeys) { value throws(AuthError) in
            Passkey(
                id: try value.required(passkey.id, \.word), name: value[passkey.name]?.text,
                createdAt: value[passkey.createdAt]?.date, lastUsedAt: value[passkey.lastUsedAt]?.date)
        }
    }
}

extension [String: AuthJSON] {
    /// Adds the answer of a passkey.
    ///
    /// - Parameter path: Its path; an empty one for the top.
    /// - Throws: `invalidCredential` if it is not a JSON object.
    mutating func add(passkey text: Secret, at path: String) throws(AuthError) {
        guard let response = AuthJSON(json: Data(text.reveal().utf8)), let members = response.object else {
            throw AuthError(.invalidCredential, "The credential's `passkey` is not the JSON of a passkey's answer.")
        }
        guard path.isEmpty else { return add(path, response) }
        merge(members) { own, _ in own }
    }
}
