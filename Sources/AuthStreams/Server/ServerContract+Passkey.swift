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
        let payload = try payload(of: exchange)
        guard let options = payload.member(at: passkey.options), options.object != nil else {
            throw .badMember(path(passkey.options), "is missing")
        }
        var members: [String: AuthJSON] = [:]
        for name in passkey.repeated {
            guard let text = payload.member(at: name)?.text else { throw .badMember(path(name), "is missing") }
            members[name] = .string(text)
        }
        return ["publicKey": options, "members": .object(members)]
    }

    /// Returns the user's passkeys in an answer.
    func passkeys(in exchange: ServerExchange) throws(AuthError) -> [Passkey] {
        guard let all = try payload(of: exchange).member(at: passkey.passkeys)?.array else {
            throw .badMember(path(passkey.passkeys), "is missing")
        }
        var found: [Passkey] = []
        for value in all {
            guard let id = value.member(at: passkey.id)?.word else {
                throw .badMember(path("\(passkey.passkeys).\(passkey.id)"), "is missing")
            }
            found.append(
                Passkey(
                    id: id, name: value.member(at: passkey.name)?.text,
                    createdAt: value.member(at: passkey.createdAt)?.date,
                    lastUsedAt: value.member(at: passkey.lastUsedAt)?.date))
        }
        return found
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
