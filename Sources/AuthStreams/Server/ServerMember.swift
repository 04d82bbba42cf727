/// A value in an answer, with its path, by which errors name its members.
struct ServerMember {
    let value: AuthJSON
    /// The path by which errors name it, which begins with that of the payload.
    let path: String

    /// The value at a path below this one; `nil` if there is none.
    subscript(name: String) -> AuthJSON? { value.member(at: name) }

    /// Returns the member at a path below this one; `nil` if there is none.
    func member(at name: String) -> ServerMember? {
        self[name].map { ServerMember(value: $0, path: path(of: name)) }
    }

    /// Returns what a required member says.
    ///
    /// - Throws: `invalidResponse` if there is no such member, or it is of another type.
    func required<Value>(_ name: String, _ read: (AuthJSON) -> Value?) throws(AuthError) -> Value {
        guard let value = self[name].flatMap(read) else { throw missing(name) }
        return value
    }

    /// Returns what each element of a required array says.
    ///
    /// - Parameter count: The number of elements that the array must have.
    /// - Throws: `invalidResponse` if there is no such array, or it has fewer elements; the error of the first element that cannot
    ///   be read.
    func elements<Element>(
        of name: String, atLeast count: Int = 0, _ read: (ServerMember) throws(AuthError) -> Element
    ) throws(AuthError) -> [Element] {
        let values = try required(name) { value in value.array.flatMap { $0.count < count ? nil : $0 } }
        return try values.map { value throws(AuthError) in
            try read(ServerMember(value: value, path: path(of: name)))
        }
    }

    /// Returns the whole path of a member.
    func path(of name: String) -> String { [path, name].filter { !$0.isEmpty }.joined(separator: ".") }

    /// The error of an answer without a member that it must have.
    func missing(_ name: String) -> AuthError { .badMember(path(of: name), "is missing") }
}

extension ServerMember: DescriptionOnly {
    /// The path. The value may have tokens.
    var description: String { "member '\(path)'" }
}
