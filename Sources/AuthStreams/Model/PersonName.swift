/// A person's name in the parts that a provider returns. At least one part is present.
///
/// ```swift
/// PersonName(givenName: "민지", familyName: "김")?.displayName      // 김민지
/// PersonName(givenName: "Alex", familyName: "Morgan")?.displayName  // Alex Morgan
/// ```
///
/// Names come from outside, and some of them unsigned, so a part is cleaned when a name is made: white space at the ends is
/// removed, and a run of it inside becomes one space; control characters and invisible formatting characters are removed; what
/// exceeds ``maximumLength`` is cut off, between two characters. A part of which nothing visible is left is `nil`.
public struct PersonName: Hashable, Sendable, Codable {
    /// The length of a part, in bytes of UTF-8, beyond which it is cut off.
    public static let maximumLength = 256

    /// The given name.
    public let givenName: String?
    /// The family name.
    public let familyName: String?

    /// Makes a name; `nil` if neither part has a visible character.
    public init?(givenName: String? = nil, familyName: String? = nil) {
        self.givenName = givenName.flatMap(Self.cleaned)
        self.familyName = familyName.flatMap(Self.cleaned)
        guard self.givenName != nil || self.familyName != nil else { return nil }
    }

    /// Decodes a name, by the rules of ``init(givenName:familyName:)``.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if neither part has a visible character.
    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
        let given = try parts.decodeIfPresent(String.self, forKey: .givenName)
        let family = try parts.decodeIfPresent(String.self, forKey: .familyName)
        guard let name = Self(givenName: given, familyName: family) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The name is empty."))
        }
        self = name
    }

    /// Reads the standard claims of an ID token (OpenID Connect Core section 5.1).
    package init?(claims: AuthJSON) {
        self.init(givenName: claims["given_name"]?.string, familyName: claims["family_name"]?.string)
    }

    /// The name to show, in the order of its script, on every system and in every locale the same.
    ///
    /// | the letters of both parts | the name |
    /// | --- | --- |
    /// | Hangul, Han, or kana together with Han | family name and given name, without a space: 김민지, 高橋みなみ |
    /// | kana alone | family name, space, given name: さとう はなこ |
    /// | any other, or one part in another script | given name, space, family name: Alex Morgan |
    ///
    /// With one part it is that part.
    public var displayName: String {
        guard let givenName, let familyName else { return givenName ?? familyName ?? "" }
        return switch (Script(of: givenName), Script(of: familyName)) {
        case (nil, _), (_, nil): "\(givenName) \(familyName)"
        case (.kana, .kana): "\(familyName) \(givenName)"
        default: familyName + givenName
        }
    }

    /// Whether the name to show begins with the family name, and has a given name after it.
    package var isFamilyNameFirst: Bool {
        guard let givenName, let familyName else { return false }
        return Script(of: givenName) != nil && Script(of: familyName) != nil
    }
}

extension PersonName {
    /// A script in which the family name comes first.
    private enum Script {
        case hangulOrHan, kana

        /// The script of all letters of a text; `nil` for any other script, and without a letter.
        init?(of text: String) {
            var script: Self?
            for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: script = script ?? .kana
                // Syllables, and the letters that they are composed of.
                case 0xAC00...0xD7FF, 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97F: script = .hangulOrHan
                // 々 repeats an ideograph and is none.
                case 0x3005: script = .hangulOrHan
                case _ where scalar.properties.isIdeographic: script = .hangulOrHan
                default: return nil
                }
            }
            guard let script else { return nil }
            self = script
        }
    }

    private static func cleaned(_ text: String) -> String? {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }
            .map { String(String.UnicodeScalarView($0.filter(belongsToNames))) }
            .filter { !$0.isEmpty }
        var name = ""
        for character in words.joined(separator: " ") {
            guard name.utf8.count + character.utf8.count <= maximumLength else { break }
            name.append(character)
        }
        if name.hasSuffix(" ") { name.removeLast() }
        return name.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint } ? name : nil
    }

    private static func belongsToNames(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Joiners, which scripts such as Persian need, and variants of ideographs, which Japanese names have.
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: scalar.properties.generalCategory != .control && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
