/// A text in the languages of the emulator's dashboard.
struct Phrase: Hashable, Sendable {
    let english: String
    let korean: String

    init(_ english: String, _ korean: String) { (self.english, self.korean) = (english, korean) }
}

/// A language of the emulator's dashboard.
enum PageLanguage: String, Sendable {
    case english = "en"
    case korean = "ko"

    /// The language that a person has chosen by a link of the page, or else prefers by their browser (RFC 9110 section 12.5.4).
    init(chosen: String?, accepted: String?) {
        let preferred = (accepted ?? "").split(separator: ",").lazy.compactMap { range in
            Self(rawValue: range.trimmingPrefix(while: \.isWhitespace).prefix(2).lowercased())
        }
        self = chosen.flatMap(Self.init(rawValue:)) ?? preferred.first ?? .english
    }

    func callAsFunction(_ phrase: Phrase) -> String { self == .english ? phrase.english : phrase.korean }

    func callAsFunction(_ english: String, _ korean: String) -> String { self == .english ? english : korean }
}
