import AuthStreams
import AuthStreamsApple
import Foundation
import TestSupport

/// The table of the article 'Show sign-in buttons': each rule of a brand with its source and its value.
struct BrandTable {
    struct Row: CustomStringConvertible {
        let rule: String
        let source: String
        let values: [String]
        /// The names of constants; `*` stands for each part in its place.
        let patterns: [String]

        var description: String { patterns.joined(separator: ", ") }

        /// The value of a constant: a row has one for all its constants, or one for each.
        func value(of constant: String) -> String? {
            guard let index = patterns.firstIndex(where: { Self.matches($0, constant) }) else { return nil }
            return values.count == 1 ? values[0] : values.dropFirst(index).first
        }

        static func matches(_ pattern: String, _ name: String) -> Bool {
            let (pattern, name) = (pattern.split(separator: "."), name.split(separator: "."))
            return pattern.count == name.count && zip(pattern, name).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    let rows: [Row]

    init() throws {
        let article = try sourceFile("Sources/AuthStreamsApple/AuthStreamsApple.docc/Buttons.md")
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "<!-- brand: rules -->" }.dropFirst().prefix { $0.hasPrefix("|") }
        rows = lines.dropFirst(2).map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            func code(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
            return Row(rule: cells[1], source: cells[2], values: code(cells[3]), patterns: code(cells[4]))
        }
    }
}

/// The constants of the code, by the names of the table.
enum BrandConstants {
    static let styles: [(name: String, style: SignInButtonStyle)] = [
        ("apple", .apple), ("google", .google), ("kakao", .kakao), ("naver", .naver), ("neutral", .neutral),
    ]

    static let all: [String: String] = {
        var all: [String: String] = [:]
        for (name, style) in styles {
            add(style, name, &all)
            for (appearance, colors) in [("light", style.light), ("dark", style.dark)] {
                all["\(name).\(appearance).contrast"] = rounded(contrast(colors.title, on: colors.background))
            }
        }
        for (name, texts) in [("english", SignInButtonTexts.english), ("korean", .korean)] { add(texts, name, &all) }
        return all
    }()

    /// Every stored property, so that a new one needs a row.
    private static func add(_ value: Any, _ name: String, _ all: inout [String: String]) {
        switch value {
        case let color as SignInButtonStyle.Color: all[name] = color.description
        case let number as Double: all[name] = number == number.rounded() ? "\(Int(number))" : "\(number)"
        case let text as String: all[name] = text
        case let titles as [ProviderID: [SignInButtonWording: String]]:
            let group = name.split(separator: ".")[0]
            for (provider, titles) in titles {
                for (wording, title) in titles { all["\(group).\(names[provider] ?? "?").\(wording.rawValue)"] = title }
            }
        case let names as [ProviderID: String] where names.isEmpty: break
        default:
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                if let some = mirror.children.first { add(some.value, name, &all) } else { all[name] = "none" }
            } else {
                for (label, child) in mirror.children { add(child, "\(name).\(label ?? "?")", &all) }
            }
        }
    }

    private static let names: [ProviderID: String] = [
        .apple: "apple", .google: "google", .kakao: "kakao", .naver: "naver", .passkey: "passkey",
    ]

    private static func rounded(_ contrast: Double) -> String {
        let tenths = Int((contrast * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
