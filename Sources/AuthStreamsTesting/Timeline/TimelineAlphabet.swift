public import AuthStreams

/// The characters of the elements in a timeline.
///
/// ```swift
/// let states: TimelineAlphabet<Screen> = ["l": .login, "h": .home]
/// ```
///
/// An element without a character is shown as `?`, and the mismatch describes it.
public struct TimelineAlphabet<Element: Sendable>: Sendable {
    let read: @Sendable (Character) -> Element?
    let write: @Sendable (Element) -> Character?

    /// Makes an alphabet from two functions.
    ///
    /// - Parameters:
    ///   - read: Returns the element for a character of an input row; `nil` if there is none.
    ///   - write: Returns the character for an element that arrived; `nil` if there is none. `X` is reserved for
    ///     cancellation.
    public init(
        read: @escaping @Sendable (Character) -> Element?, write: @escaping @Sendable (Element) -> Character?
    ) {
        self.read = read
        self.write = write
    }
}

extension TimelineAlphabet: ExpressibleByDictionaryLiteral where Element: Equatable {
    /// Makes an alphabet from pairs. Of two equal elements the first is written.
    public init(dictionaryLiteral elements: (Character, Element)...) {
        self.init(
            read: { character in elements.first { $0.0 == character }?.1 },
            write: { element in elements.first { $0.1 == element }?.0 })
    }
}

extension TimelineAlphabet where Element == Character {
    /// Every letter and digit is its own element.
    public static var characters: Self { Self(read: { $0 }, write: { $0 }) }
}

extension TimelineAlphabet where Element == Result<Character, AuthError> {
    /// Lower-case letters and digits are successes; a capital letter is a failure with that code.
    ///
    /// - Parameter failures: `A` abandoned, `C` cancelled, `N` network, `S` superseded and `T` timed out, unless given.
    public static func results(
        failures: [Character: AuthError.Code] = [
            "A": .abandoned, "C": .cancelled, "N": .network, "S": .superseded, "T": .timedOut,
        ]
    ) -> Self {
        Self(
            read: { character in
                if let code = failures[character] { return .failure(AuthError(code, "It was written in a timeline.")) }
                return character.isUppercase ? nil : .success(character)
            },
            write: { result in
                switch result {
                case .success(let character): character.isUppercase ? nil : character
                case .failure(let error): failures.first { $0.value == error.code }?.key
                }
            })
    }
}
