package import AuthStreams
package import Foundation

/// An object in the JSON of WebAuthn, whose errors name the member.
///
/// A member that is `null` counts as absent: many servers write `null` for 'none'. Unknown members are ignored.
package struct WebAuthnObject: Sendable {
    private let members: [String: AuthJSON]
    /// The path of the object, such as `user`; empty for the outermost one.
    private let path: String

    /// Reads the outermost object.
    ///
    /// - Throws: `invalidResponse` for another value.
    package init(_ json: AuthJSON) throws(AuthError) {
        guard let members = json.object else {
            throw AuthError(.invalidResponse, "The JSON of the passkey is not an object.")
        }
        self.init(members, at: "")
    }

    private init(_ members: [String: AuthJSON], at path: String) {
        self.members = members
        self.path = path
    }

    /// Returns the error of a member, for engineers.
    ///
    /// - Parameter problem: What is wrong with it, as the rest of a sentence that begins with its name.
    package func error(_ name: String, _ problem: String) -> AuthError {
        AuthError(
            .invalidResponse,
            "In the JSON of the passkey, `\(path(of: name))` \(problem). See WebAuthn Level 3, section 5.")
    }

    /// Returns a member.
    ///
    /// - Parameters:
    ///   - kind: What the member must be, such as 'a string'.
    ///   - read: Returns `nil` for a value of another kind.
    /// - Returns: `nil` if the member is absent.
    private func value<Value>(
        _ name: String, _ kind: String, _ read: (AuthJSON) -> Value?
    ) throws(AuthError) -> Value? {
        guard let member = members[name], member != .null else { return nil }
        guard let value = read(member) else { throw error(name, "is not \(kind)") }
        return value
    }

    /// Returns the value of a required member.
    ///
    /// - Throws: `invalidResponse` if it is absent.
    package func required<Value>(_ name: String, _ value: Value?) throws(AuthError) -> Value {
        guard let value else { throw error(name, "is missing") }
        return value
    }

    /// Returns the string of a member; `nil` if it is absent.
    package func text(_ name: String) throws(AuthError) -> String? { try value(name, "a string", \.string) }

    /// Returns the string of a required member.
    package func requiredText(_ name: String) throws(AuthError) -> String { try required(name, text(name)) }

    /// Returns the bytes of a member in Base64URL; `nil` if it is absent.
    package func bytes(_ name: String) throws(AuthError) -> Data? {
        try value(name, "a string in Base64URL without padding") { $0.string.flatMap(Base64URL.decode) }
    }

    /// Returns the bytes of a required member.
    package func requiredBytes(_ name: String) throws(AuthError) -> Data { try required(name, bytes(name)) }

    /// Returns the truth value of a member; `nil` if it is absent.
    package func bool(_ name: String) throws(AuthError) -> Bool? { try value(name, "a boolean", \.bool) }

    /// Returns the whole number of a member, which may also be a decimal text, if the type holds it; `nil` if it is absent.
    package func integer<Integer: FixedWidthInteger>(
        _ name: String, as type: Integer.Type
    ) throws(AuthError) -> Integer? {
        try value(name, "a whole number of \(type.bitWidth) bits") { $0.lenientInteger.flatMap(Integer.init(exactly:)) }
    }

    /// Returns the known value of an enumeration; `nil` if the member is absent or its value is not known.
    package func known<Value: RawRepresentable<String>>(
        _ name: String, as type: Value.Type
    ) throws(AuthError) -> Value? { try text(name).flatMap(Value.init(rawValue:)) }

    /// Returns the strings of a member; `nil` if it is absent.
    package func texts(_ name: String) throws(AuthError) -> [String]? {
        try value(name, "an array of strings") { json -> [String]? in
            guard let elements = json.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    /// Returns the strings of a required member.
    package func requiredTexts(_ name: String) throws(AuthError) -> [String] { try required(name, texts(name)) }

    /// Returns the object of a member; `nil` if it is absent.
    package func object(_ name: String) throws(AuthError) -> WebAuthnObject? {
        try value(name, "an object", \.object).map { WebAuthnObject($0, at: path(of: name)) }
    }

    /// Returns the object of a required member.
    package func requiredObject(_ name: String) throws(AuthError) -> WebAuthnObject { try required(name, object(name)) }

    /// Returns the objects of a member; `nil` if it is absent.
    package func objects(_ name: String) throws(AuthError) -> [WebAuthnObject]? {
        guard let elements = try value(name, "an array", \.array) else { return nil }
        var objects: [WebAuthnObject] = []
        for (index, element) in elements.enumerated() {
            let place = "\(name)[\(index)]"
            guard let members = element.object else { throw error(place, "is not an object") }
            objects.append(WebAuthnObject(members, at: path(of: place)))
        }
        return objects
    }

    /// Returns the object of a member as JSON; an empty one if it is absent.
    package func json(_ name: String) throws(AuthError) -> [String: AuthJSON] {
        try value(name, "an object", \.object) ?? [:]
    }

    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

/// What the options of a registration and of a sign-in have in common.
extension WebAuthnObject {
    /// The challenge. A server should take 16 bytes or more (section 13.4.3); how many is its own decision.
    var challenge: Data {
        get throws(AuthError) {
            let challenge = try requiredBytes("challenge")
            guard !challenge.isEmpty else { throw error("challenge", "is empty") }
            return challenge
        }
    }

    /// How long the server waits; `nil` if it does not say.
    var timeout: Duration? {
        get throws(AuthError) { try integer("timeout", as: UInt32.self).map { .milliseconds(Int64($0)) } }
    }

    /// The known hints, each once.
    var hints: [PublicKeyCredentialHint] {
        get throws(AuthError) {
            let known = try texts("hints")?.compactMap(PublicKeyCredentialHint.init(rawValue:)) ?? []
            return known.reduce(into: []) { hints, hint in
                if !hints.contains(hint) { hints.append(hint) }
            }
        }
    }

    /// Returns the domain of a member; `nil` if it is absent.
    func domain(_ name: String) throws(AuthError) -> String? {
        guard let domain = try text(name) else { return nil }
        guard RelyingPartyID.isDomain(domain) else {
            throw error(name, "is not a domain, such as 'example.com' without scheme, port and path")
        }
        return domain
    }

    /// Returns the passkeys of a list, without those of an unknown type; `nil` if the member is absent.
    func descriptors(_ name: String) throws(AuthError) -> [PublicKeyCredentialDescriptorJSON]? {
        guard let objects = try objects(name) else { return nil }
        var descriptors: [PublicKeyCredentialDescriptorJSON] = []
        for object in objects {
            if let descriptor = try PublicKeyCredentialDescriptorJSON(object) { descriptors.append(descriptor) }
        }
        return descriptors
    }
}
