/// The parameters of a query or a form, in order, with repetitions.
package struct EmulatorParameters: Sendable {
    /// All parameters.
    package let items: [(name: String, value: String)]

    package init(_ items: [(name: String, value: String)]) {
        self.items = items
    }

    /// The value of a parameter, or `nil` when it is absent or empty: a parameter without a value counts as omitted
    /// (RFC 6749 section 3.1).
    package subscript(name: String) -> String? {
        guard let value = items.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }

    /// The name of a repeated parameter, which no OAuth request may have (RFC 6749 section 3.1).
    package var repeated: String? {
        var seen: Set<String> = []
        return items.first { !seen.insert($0.name).inserted }?.name
    }

    /// The parameters of both, these first.
    package func merged(with other: Self) -> Self { Self(items + other.items) }
}
