/// Members by the paths of a contract: names joined by dots, each of which leads into an object.
extension AuthJSON {
    /// Returns the member at a path; `nil` if it is absent or a part of the path is not an object. An empty path is the
    /// value itself.
    func member(at path: String) -> AuthJSON? {
        var value = self
        for name in path.split(separator: ".") {
            guard let member = value[String(name)] else { return nil }
            value = member
        }
        return value
    }
}

extension [String: AuthJSON] {
    /// Adds a member at a path, with the objects that lead to it. A member that is already there stays.
    mutating func add(_ path: String, _ value: AuthJSON) { add(path.split(separator: ".")[...], value) }

    private mutating func add(_ path: ArraySlice<Substring>, _ value: AuthJSON) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else {
            if self[name] == nil { self[name] = value }
            return
        }
        guard var members = (self[name] ?? [:]).object else { return }
        members.add(path.dropFirst(), value)
        self[name] = .object(members)
    }
}
