import Foundation

/// A page of the documentation and its Korean translation, which are compared line by line: a paragraph, an item and a row of a
/// table are one line each.
struct Translation: Sendable, CustomStringConvertible {
    /// What both pages have in common.
    enum Rule: String, Sendable {
        /// The number of lines.
        case count
        /// What each line is: a heading of a level, a paragraph, an item, an aside, or a row with a number of cells.
        case shape
        /// Listings, the marks above them, and the headings that DocC knows, letter by letter.
        case listing
        /// The code spans and symbols of each cell, item and paragraph.
        case code
        /// The targets of links. A link of the Korean page leads to a Korean page where there is one.
        case links
        /// Prose of the Korean page is Korean.
        case language
    }

    struct Difference: Equatable, CustomStringConvertible {
        let rule: Rule
        let line: Int
        var description: String { "\(rule) in line \(line)" }
    }

    let english: TranslatedPage
    let korean: TranslatedPage

    var description: String { korean.path }

    /// The pages whose file's name ends with 'Korean', with those that they translate.
    static let all: [Translation] = {
        let files = FileManager.default.enumerator(
            at: packageRoot.appending(path: "Sources"), includingPropertiesForKeys: nil)
        let root = packageRoot.standardizedFileURL.path() + (packageRoot.path().hasSuffix("/") ? "" : "/")
        let paths = (files?.compactMap { ($0 as? URL)?.standardizedFileURL.path() } ?? [])
            .filter { $0.hasSuffix("Korean.md") }.map { String($0.dropFirst(root.count)) }
        return paths.sorted().compactMap { path in
            let original = path.hasSuffix("/StartKorean.md") ? "README.md" : path.replacing("Korean.md", with: ".md")
            guard let english = try? packageFile(original), let korean = try? packageFile(path) else { return nil }
            return Translation(
                english: TranslatedPage(path: original, text: english), korean: TranslatedPage(path: path, text: korean)
            )
        }
    }()

    func differences() -> [Difference] {
        let lines = (english.lines, korean.lines)
        let first = zip(lines.0, lines.1).enumerated().first {
            $1.0.shape != $1.1.shape || $1.0.verbatim != $1.1.verbatim
        }
        guard lines.0.count == lines.1.count else {
            return [Difference(rule: .count, line: (first?.offset ?? min(lines.0.count, lines.1.count)) + 1)]
        }
        return zip(lines.0, lines.1).enumerated().flatMap { index, pair in
            rules(brokenBy: pair.0, pair.1).map { Difference(rule: $0, line: index + 1) }
        }
    }

    private func rules(brokenBy english: TranslatedPage.Line, _ korean: TranslatedPage.Line) -> [Rule] {
        if english.shape != korean.shape { return [.shape] }
        if english.verbatim != korean.verbatim { return [.listing] }
        let cells = Array(zip(english.cells, korean.cells))
        var rules: [Rule] = []
        if !cells.allSatisfy({ $0.code == $1.code }) { rules.append(.code) }
        if !cells.allSatisfy({ Set($0.links.map(translated)) == Set($1.links) }) { rules.append(.links) }
        if !cells.allSatisfy({ !$0.hasEnglish || $1.hasKorean }) { rules.append(.language) }
        return rules
    }

    /// A link of the English page as the Korean page has it.
    private func translated(_ link: MarkdownLink) -> MarkdownLink {
        guard link.target != korean.path else { return MarkdownLink(target: english.path) }
        guard let page = Self.all.first(where: { $0.english.path == link.target }) else { return link }
        guard let anchor = link.anchor else { return MarkdownLink(target: page.korean.path) }
        let heading = page.english.anchors.firstIndex(of: anchor)
        return MarkdownLink(target: page.korean.path, anchor: heading.map { page.korean.anchors[$0] } ?? "?")
    }
}

/// A page of the documentation as far as its translation has the same.
struct TranslatedPage: Sendable {
    /// The file, from the package's root.
    let path: String
    let lines: [Line]
    /// The anchors of the headings, in their order.
    let anchors: [String]

    /// A line: what is not translated, and the rest by cells.
    struct Line: Sendable {
        let shape: String
        var verbatim = ""
        var cells: [Cell] = []
    }

    /// A paragraph, an item, or a cell of a table.
    struct Cell: Sendable {
        /// The code spans, in the order of the alphabet.
        let code: [String]
        /// The links. An address is without its language.
        let links: [MarkdownLink]
        let hasEnglish: Bool
        let hasKorean: Bool
    }

    init(path: String, text: String) {
        self.path = path
        // Of the README, its first screen. What follows it is not translated, and the Korean page lists the articles instead.
        let isStart = path == "README.md" || path.hasSuffix("/StartKorean.md")
        let shown = isStart ? text.components(separatedBy: "\n## ")[0] : text
        var isListing = false
        lines = shown.components(separatedBy: "\n").map { line in
            if line.hasPrefix("```") || isListing {
                if line.hasPrefix("```") { isListing.toggle() }
                return Line(shape: "listing", verbatim: line)
            }
            return Self.line(line, of: path)
        }
        anchors = MarkdownLink.anchors(of: text)
    }

    private static func line(_ line: String, of path: String) -> Line {
        if line.isEmpty { return Line(shape: "empty") }
        if line.hasPrefix("<!--") || line.hasPrefix("| ---") || ["## Overview", "## Topics"].contains(line) {
            return Line(shape: "fixed", verbatim: line)
        }
        if line.hasPrefix("| ") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            return Line(shape: "row of \(cells.count)", cells: cells.map { Cell(String($0), of: path) })
        }
        let start = line.prefixMatch(of: /(?:#+|-|> \w+:)\s/).map { String($0.0) } ?? ""
        return Line(shape: "paragraph" + start, cells: [Cell(String(line.dropFirst(start.count)), of: path)])
    }
}

extension TranslatedPage.Cell {
    init(_ text: String, of path: String) {
        // What stands for a value of the app's is in the language of the page.
        code = text.matches(of: /`+[^`]+`+/).map { String($0.0).replacing(/\{[A-Z ]+\}|\{[가-힣 ]+\}/, with: "{}") }
            .sorted()
        let prose = text.replacing(/`+[^`]+`+/, with: "")
        links = MarkdownLink.all(in: prose, of: path).map { link in
            link.isAddress
                ? MarkdownLink(target: link.target.replacing("/ko/", with: "/en/"), anchor: link.anchor) : link
        }
        // The titles of other sites' pages are theirs.
        let words = prose.replacing(/<doc:[^>]+>|\[[^\]]*\]\(https:[^)]+\)|\]\([^)]+\)/, with: "")
        hasEnglish = words.contains(/\b[a-z]{2,}\b/)
        hasKorean = words.contains(/[가-힣]/)
    }
}
