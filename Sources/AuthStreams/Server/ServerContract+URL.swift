import Foundation

extension ServerContract {
    /// Returns the URL of an endpoint.
    ///
    /// - Parameters:
    ///   - provider: The provider that the path may name. Its name is always one component of the path, or one value of
    ///     the query.
    ///   - base: The server's base URL. Its query precedes that of the path.
    /// - Throws: `misconfigured` if a part of the path or of the base URL would not reach the server as it is written;
    ///   `unsupportedProvider` for a provider whose name cannot stand in a path.
    func url(of endpoint: Endpoint, _ provider: ProviderID?, below base: URL) throws(AuthError) -> URL {
        let ownBase = "The server's base URL"
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
            throw .badURL(ownBase, "cannot be read")
        }
        guard parts.fragment == nil else { throw .badURL(ownBase, "has a fragment ('#'), which no request has") }
        guard !parts.percentEncodedPath.hasDotSegment else { throw .badURL(ownBase, "has '.' or '..' in its path") }

        guard !endpoint.namesProvider || provider != nil else {
            throw .badURL("The endpoint's path '\(endpoint.path)'", "names a provider, and this request has none")
        }
        let name = try endpoint.namesProvider ? provider.map(component) : nil
        let (path, query) = try endpoint.components(naming: name)
        let prefix = parts.percentEncodedPath
        parts.percentEncodedPath = "\(prefix.hasSuffix("/") ? prefix.dropLast() : prefix[...])/\(path)"
        if let query {
            let before = parts.percentEncodedQuery ?? ""
            parts.percentEncodedQuery = [before.encoded, query].filter { !$0.isEmpty }.joined(separator: "&")
        }
        guard let url = parts.url else { throw .badURL(ownBase, "cannot have a path below it") }
        return url
    }

    /// Returns a provider's name with everything encoded that may have a meaning in a URL.
    private func component(_ provider: ProviderID) throws(AuthError) -> String {
        let name = name(of: provider)
        guard !["", ".", ".."].contains(name), let text = name.addingPercentEncoding(withAllowedCharacters: .unreserved)
        else { throw AuthError(.unsupportedProvider, "An identifier without a letter names no provider.") }
        return text
    }
}

extension ServerContract.Endpoint {
    /// The placeholder of a provider's name in a path.
    private static let provider = "{provider}"

    var namesProvider: Bool { path.contains(Self.provider) }

    /// Returns the endpoint with an identifier as one component of its path, and the body, which has the identifier if the path
    /// does not.
    ///
    /// - Parameters:
    ///   - placeholder: What stands for the identifier in a path, such as `{factor}`.
    ///   - name: The identifier's name in a body.
    /// - Throws: `misconfigured` for an identifier that cannot be a component.
    func naming(
        _ id: String, by placeholder: String, orInBody name: String
    ) throws(AuthError) -> (Self, [String: AuthJSON]?) {
        guard path.contains(placeholder) else { return (self, [name: .string(id)]) }
        guard !["", ".", ".."].contains(id), let text = id.addingPercentEncoding(withAllowedCharacters: .unreserved)
        else { throw AuthError(.misconfigured, "The identifier for '\(placeholder)' cannot stand in a path.") }
        return (Self(method, path.replacing(placeholder, with: text)), nil)
    }

    /// Returns the path, without a slash before it, and the query, both percent-encoded.
    ///
    /// - Parameter name: The provider's name, percent-encoded; `nil` if there is none.
    fileprivate func components(naming name: String?) throws(AuthError) -> (path: String, query: String?) {
        guard path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) == nil else {
            throw .badURL("An endpoint's path", "is a whole URL instead of a path below the server's base URL")
        }
        // A query may have a key of the app's, so it is not shown.
        let own = "The endpoint's path '\(path.prefix { $0 != "?" && $0 != "#" })'"
        guard !path.unicodeScalars.contains("#") else {
            throw .badURL(own, "is followed by a fragment ('#'), which no request has")
        }
        let encoded = (name.map { path.replacing(Self.provider, with: $0) } ?? path).encoded
        guard !encoded.contains(/%(?![0-9A-Fa-f]{2})/) else {
            throw .badURL(own, "has a '%' without two hexadecimal digits after it ('%25' is the character itself)")
        }
        let halves = (encoded.hasPrefix("/") ? encoded.dropFirst() : encoded[...])
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard !halves[0].hasDotSegment else { throw .badURL(own, "has '.' or '..' between its slashes") }
        return (halves[0], halves.count > 1 ? halves[1] : nil)
    }
}

extension AuthError {
    fileprivate static func badURL(_ part: String, _ what: String) -> Self {
        AuthError(.misconfigured, "\(part) \(what), so nothing was sent. Correct it.")
    }
}

extension String {
    /// The text with all characters encoded that neither a path nor a query can have. What is encoded already stays as
    /// it is.
    fileprivate var encoded: String { addingPercentEncoding(withAllowedCharacters: .pathAndQuery) ?? "" }

    /// Whether a component of the path stands for another path (RFC 3986 section 3.3), which a server or a proxy may
    /// resolve.
    fileprivate var hasDotSegment: Bool {
        split(separator: "/").contains { [".", ".."].contains($0.replacing(/%2[Ee]/, with: ".")) }
    }
}

extension CharacterSet {
    /// The characters that have no other meaning (RFC 3986 section 2.3).
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// The characters of a path, the question mark, and those of a query (RFC 3986 sections 3.3 and 3.4).
    fileprivate static let pathAndQuery = unreserved.union(CharacterSet(charactersIn: "%!$&'()*+,;=:@/?"))
}
