import Foundation

/// What is written or drawn with.
enum Ink: String, CaseIterable {
    case text, quiet, state, failure, line, onBadge
}

/// What stands behind it.
enum Ground: String, CaseIterable {
    case ground, box, inner, frame, pill, badge, bar
}

/// The colours of one of the two files of a picture.
struct Theme {
    let inks: [Ink: String]
    let grounds: [Ground: String]
    let border: String

    static let light = Theme(
        inks: [
            .text: "#1d1d1f", .quiet: "#515157", .state: "#0b57a4", .failure: "#a8201a", .line: "#515157",
            .onBadge: "#ffffff",
        ],
        grounds: [
            .ground: "#ffffff", .box: "#eef3fa", .inner: "#ffffff", .frame: "#f4f4f6", .pill: "#e6eefa",
            .badge: "#0b57a4", .bar: "#9cc3f0",
        ], border: "#a9b8cc")

    static let dark = Theme(
        inks: [
            .text: "#f5f5f7", .quiet: "#b4b4bb", .state: "#8cc2ff", .failure: "#ff9a92", .line: "#b4b4bb",
            .onBadge: "#10151c",
        ],
        grounds: [
            .ground: "#161619", .box: "#222b38", .inner: "#161619", .frame: "#212125", .pill: "#24344a",
            .badge: "#8cc2ff", .bar: "#3c659a",
        ], border: "#566579")

    /// Which ink is used over which ground.
    private static let pairs: [(Ink, Ground)] =
        [.text, .quiet, .state, .failure, .line].flatMap { (ink: Ink) in
            [.ground, .box, .inner, .frame, .pill].map { (ink, $0) }
        } + [(.onBadge, .badge)]

    var rules: String {
        var rules = [
            "text { font-family: system-ui, sans-serif }",
            ".code { font-family: ui-monospace, Menlo, Consolas, monospace }", ".bold { font-weight: 600 }",
            "polyline { fill: none; stroke-width: 1.6; stroke-linejoin: round }",
            ".box, .inner, .frame, .pill { stroke: \(border); stroke-width: 1.2 }",
        ]
        for ink in Ink.allCases {
            guard let colour = inks[ink] else { continue }
            rules.append(".\(ink.rawValue), .fill-\(ink.rawValue) { fill: \(colour) }")
            rules.append(".stroke-\(ink.rawValue) { stroke: \(colour) }")
        }
        for ground in Ground.allCases {
            guard let colour = grounds[ground] else { continue }
            rules.append(".\(ground.rawValue) { fill: \(colour) }")
            rules.append(
                ".over-\(ground.rawValue) { paint-order: stroke; stroke: \(colour); stroke-width: 5; stroke-linejoin: round }"
            )
        }
        return rules.joined(separator: "\n")
    }

    /// - Throws: If a text is hard to read: the contrast of WCAG 2 is to be 4.5 or more.
    func requireContrast() throws {
        for (ink, ground) in Self.pairs {
            guard let first = inks[ink].flatMap(Self.luminance), let second = grounds[ground].flatMap(Self.luminance)
            else { throw PictureError("No colour for \(ink) over \(ground).") }
            let contrast = (max(first, second) + 0.05) / (min(first, second) + 0.05)
            if contrast < 4.5 { throw PictureError("\(ink) over \(ground) has a contrast of \(contrast).") }
        }
    }

    private static func luminance(_ colour: String) -> Double? {
        guard let value = Int(colour.dropFirst(), radix: 16) else { return nil }
        let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
