/// A link of a Markdown file of the package.
struct MarkdownLink: Hashable, Sendable, CustomStringConvertible {
    /// The file that it leads to, from the package's root, or the address of another site's page.
    var target: String
    /// The anchor of a heading in that file.
    var anchor: String?

    var isAddress: Bool { target.hasPrefix("https:") }

    var description: String { target + (anchor.map { "#\($0)" } ?? "") }
}

extension MarkdownLink {
    /// The links of a text: `<doc:Name>` and `[Title](link)`.
    ///
    /// - Parameter document: The file that has the text, from the package's root.
    static func all(in text: String, of document: String) -> [Self] {
        text.matches(of: /<(doc:[^>]+)>|\]\(([^)]+)\)/).map { Self($0.1 ?? $0.2 ?? "", in: document) }
    }

    /// Reads a link as a document writes it: an address, a path from the document's folder, or `doc:` and the name of an article
    /// in that folder. A link that is a heading alone leads to the document itself.
    private init(_ link: Substring, in document: String) {
        guard !link.hasPrefix("https:") else {
            target = String(link)
            return
        }
        let isArticle = link.hasPrefix("doc:")
        let parts = link.dropFirst(isArticle ? 4 : 0).split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        target = parts[0].isEmpty ? document : packagePath(parts[0] + (isArticle ? ".md" : ""), from: document)
        // DocC also takes a heading with its capitals.
        anchor = parts.dropFirst().first.map { isArticle ? $0.lowercased() : String($0) }
    }

    /// Returns the anchors of a text's headings: without punctuation, in lower case, with hyphens for spaces.
    static func anchors(of text: String) -> [String] {
        text.matches(of: /(?m)^#+ (.+)$/).map { heading in
            heading.1.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
        }
    }
}

/// Returns the path from the package's root of what a document names by a path from its own folder. A path that leaves the package
/// begins with `..`.
func packagePath(_ path: some StringProtocol, from document: String) -> String {
    var parts = document.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
        if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
}
