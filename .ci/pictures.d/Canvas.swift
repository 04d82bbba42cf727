import Foundation

/// A picture under construction. Colours are named by their use, so that one drawing is made in light and dark.
struct Canvas {
    /// All pictures are as wide as a phone shows without making the text smaller.
    static let width = 360.0

    var height = 0.0
    private var elements: [String] = []
    /// The lines that a wide font writes beyond the picture.
    private(set) var overflows: [String] = []

    // MARK: Text

    struct Font {
        var size: Double
        var isBold = false
        var isCode = false

        static let name = Font(size: 15, isBold: true, isCode: true)
        static let title = Font(size: 14.5, isBold: true)
        static let body = Font(size: 13.5)
        static let code = Font(size: 13, isCode: true)

        var lineHeight: Double { (size * 1.3).rounded() }

        /// How wide a text is at most. Fonts differ, so this is the width in a wide one.
        func width(of text: String) -> Double {
            if isCode { return Double(text.count) * size * 0.61 }
            let ems = text.reduce(0.0) { sum, character in
                switch character {
                case "i", "j", "l", ".", ",", ":", "'", "|", "!", "(", ")", " ", "f", "t", "r", "I", "-": sum + 0.4
                case "m", "w", "M", "W", "→": sum + 0.98
                case "A"..."Z": sum + 0.74
                default: sum + 0.63
                }
            }
            return ems * size * (isBold ? 1.1 : 1)
        }

        /// The text in as few lines of at most that width as it takes, broken at spaces, the longest as short as possible.
        func lines(_ text: String, within width: Double) -> [String] {
            let count = filled(text, within: width).count
            return stride(from: 20, to: width, by: 2).lazy.map { filled(text, within: $0) }.first { $0.count == count }
                ?? filled(text, within: width)
        }

        private func filled(_ text: String, within width: Double) -> [String] {
            text.split(separator: " ").reduce(into: []) { lines, word in
                if let last = lines.last, self.width(of: "\(last) \(word)") <= width {
                    lines[lines.count - 1] = "\(last) \(word)"
                } else {
                    lines.append(String(word))
                }
            }
        }
    }

    enum Anchor: String { case start, middle, end }

    /// Writes lines of text, the first with its top there. Behind it the ground hides what it would cross.
    mutating func text(
        _ lines: [String], x: Double, top: Double, _ font: Font, _ ink: Ink = .text, anchor: Anchor = .start,
        over ground: Ground? = nil
    ) {
        for (index, line) in lines.enumerated() {
            let width = font.width(of: line)
            let begin = anchor == .start ? x : anchor == .middle ? x - width / 2 : x - width
            if begin < 4 || begin + width > Self.width - 4 { overflows.append(line) }
            let base = top + font.lineHeight * Double(index) + font.size * 0.98
            var classes = [ink.rawValue]
            if font.isCode { classes.append("code") }
            if font.isBold { classes.append("bold") }
            if let ground { classes.append("over-\(ground.rawValue)") }
            elements.append(
                "<text class=\"\(classes.joined(separator: " "))\" x=\"\(number(x))\" y=\"\(number(base))\" "
                    + "font-size=\"\(number(font.size))\" text-anchor=\"\(anchor.rawValue)\">\(escaped(line))</text>")
        }
    }

    // MARK: Shapes

    mutating func box(x: Double, y: Double, width: Double, height: Double, _ ground: Ground, radius: Double = 9) {
        elements.append(
            "<rect class=\"\(ground.rawValue)\" x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" "
                + "height=\"\(number(height))\" rx=\"\(number(radius))\"/>")
    }

    /// A line with a head at its end.
    mutating func arrow(_ points: [(x: Double, y: Double)], _ ink: Ink = .line, isDashed: Bool = false) {
        line(points, ink, isDashed: isDashed)
        guard let tip = points.last, let before = points.dropLast().last else { return }
        let length = hypot(tip.x - before.x, tip.y - before.y)
        let (along, across) = ((tip.x - before.x) / length, (tip.y - before.y) / length)
        let corners = [(0.0, 0.0), (-9.5, 5.0), (-9.5, -5.0)].map { back, side in
            "\(number(tip.x + back * along - side * across)),\(number(tip.y + back * across + side * along))"
        }
        elements.append("<polygon class=\"fill-\(ink.rawValue)\" points=\"\(corners.joined(separator: " "))\"/>")
    }

    mutating func line(_ points: [(x: Double, y: Double)], _ ink: Ink = .line, isDashed: Bool = false) {
        let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        elements.append(
            "<polyline class=\"stroke-\(ink.rawValue)\" points=\"\(path)\"\(isDashed ? " stroke-dasharray=\"4 4\"" : "")/>"
        )
    }

    /// A number in a circle.
    mutating func badge(_ value: Int, x: Double, y: Double) {
        elements.append("<circle class=\"badge\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"10\"/>")
        text(["\(value)"], x: x, top: y - 8.3, Font(size: 12.5, isBold: true), .onBadge, anchor: .middle)
    }

    /// Puts another drawing over this one.
    mutating func add(_ other: Canvas) {
        elements += other.elements
        overflows += other.overflows
    }

    // MARK: The file

    /// The picture as an SVG file.
    func svg(_ title: String, _ description: String, in theme: Theme) -> String {
        let (width, height) = (number(Self.width), number(height.rounded(.up)))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            role="img" aria-labelledby="title description">
            <title id="title">\(escaped(title))</title>
            <desc id="description">\(escaped(description))</desc>
            <style>
            \(theme.rules)
            </style>
            <rect class="ground" width="\(width)" height="\(height)" rx="12"/>
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }

    /// A tenth of a unit is less than a pixel.
    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : String(format: "%.1f", Double(tenths) / 10)
    }
}
