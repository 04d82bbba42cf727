import Foundation

/// States as boxes in rows of twelve columns, with numbered arrows, and what the numbers mean.
func states(_ table: Table) throws -> Canvas {
    var canvas = Canvas()
    var drawing = StateDrawing(substates: table.rows("substate"))
    var y = try drawing.draw(table.rows("state"), x: 12, y: 12, width: Canvas.width - 24, gap: 76, on: &canvas) + 16
    let arrows = table.rows("arrow")
    try drawing.draw(arrows: arrows, on: &canvas)
    for (index, arrow) in arrows.enumerated() {
        canvas.badge(index + 1, x: 22, y: y + 10)
        canvas.text([arrow[2]], x: 42, top: y + 1, .body)
        y += 25
    }
    canvas.height = y + 8
    return canvas
}

private struct StateDrawing {
    struct Box {
        let x, y, width, height: Double
        var right: Double { x + width }
        var bottom: Double { y + height }
        /// What holds it.
        let parent: String?
    }

    struct Arrow {
        let number: Int
        let from: String
        let to: String
        var ends: Set<String> { [from, to] }
    }

    private var boxes: [String: Box] = [:]
    private let substates: [[String]]

    init(substates: [[String]]) { self.substates = substates }

    // MARK: Boxes

    /// Draws states, each with those inside it.
    ///
    /// - Returns: Where they end.
    mutating func draw(
        _ states: [[String]], x: Double, y: Double, width: Double, gap: Double, in parent: String? = nil,
        on canvas: inout Canvas
    ) throws -> Double {
        var y = y
        for row in Set(states.map { $0[4] }).sorted() {
            let states = states.filter { $0[4] == row }
            let places = try states.map { try place($0, x: x, width: width) }
            let captions = zip(states, places).map { Canvas.Font.body.lines($0[1], within: $1.width - 16) }
            let head = captions.map { 32 + Canvas.Font.body.lineHeight * Double($0.count) }.max() ?? 0
            var end = y + head
            for (state, place) in zip(states, places) {
                // Measured here, since a box is drawn before what is inside it.
                var (copy, unused) = (self, Canvas())
                end = max(end, try copy.drawInside(state[0], place, y + head, on: &unused))
            }
            for (index, state) in states.enumerated() {
                let box = Box(
                    x: places[index].x, y: y, width: places[index].width, height: end - y, parent: parent)
                boxes[state[0]] = box
                draw(box, parent == nil ? state[0] : ".\(state[0])", captions[index], on: &canvas)
                _ = try drawInside(state[0], places[index], y + head, on: &canvas)
            }
            y = end + gap
        }
        return y - gap
    }

    private func place(_ state: [String], x: Double, width: Double) throws -> (x: Double, width: Double) {
        guard let column = Double(state[2]), let span = Double(state[3]) else {
            throw PictureError("'\(state[0])' has no place.")
        }
        return (x + width * column / 12, width * span / 12)
    }

    private func draw(_ box: Box, _ name: String, _ caption: [String], on canvas: inout Canvas) {
        let ground: Ground = box.parent == nil ? .box : .inner
        canvas.box(x: box.x, y: box.y, width: box.width, height: box.height, ground)
        canvas.text([name], x: box.x + box.width / 2, top: box.y + 5, .name, anchor: .middle)
        canvas.text(caption, x: box.x + box.width / 2, top: box.y + 26, .body, .quiet, anchor: .middle)
    }

    /// Draws the states inside a state.
    ///
    /// - Returns: Where the state ends.
    private mutating func drawInside(
        _ parent: String, _ place: (x: Double, width: Double), _ y: Double, on canvas: inout Canvas
    ) throws -> Double {
        let children = substates.filter { $0[1] == parent }.map { [$0[0]] + $0[2...] }
        guard !children.isEmpty else { return y }
        return try draw(
            children, x: place.x + 10, y: y, width: place.width - 20, gap: 70, in: parent, on: &canvas) + 10
    }

    // MARK: Arrows

    /// Draws the arrows between the boxes: straight, side by side, and around no box.
    func draw(arrows rows: [[String]], on canvas: inout Canvas) throws {
        let arrows = rows.enumerated().flatMap { index, row in
            row[0].components(separatedBy: ", ").map { Arrow(number: index + 1, from: $0, to: row[1]) }
        }
        for (index, arrow) in arrows.enumerated() where !arrows[..<index].contains(where: { $0.ends == arrow.ends }) {
            try draw(arrows.filter { $0.ends == arrow.ends }, on: &canvas)
        }
    }

    /// Draws the arrows between two boxes.
    private func draw(_ arrows: [Arrow], on canvas: inout Canvas) throws {
        guard let first = boxes[arrows[0].from], let second = boxes[arrows[0].to], first.parent == second.parent
        else { throw PictureError("An arrow has no box: \(arrows[0].from), \(arrows[0].to)") }
        let isVertical = first.bottom <= second.y || second.bottom <= first.y
        let isForward = isVertical ? first.y < second.y : first.x < second.x
        let (near, far) = isForward ? (first, second) : (second, first)
        let range = isVertical ? columns(between: near, far) : (max(near.y, far.y), min(near.bottom, far.bottom))
        guard range.1 - range.0 > 20 else { throw PictureError("There is no room for an arrow: \(arrows[0]).") }
        let (begin, end) = isVertical ? (near.bottom, far.y) : (near.right, far.x)
        for (index, arrow) in arrows.enumerated() {
            let across = range.0 + (range.1 - range.0) * Double(index + 1) / Double(arrows.count + 1)
            let isAlong = (arrow.from == arrows[0].from) == isForward
            let point = { (along: Double) in isVertical ? (x: across, y: along) : (x: along, y: across) }
            canvas.arrow([point(isAlong ? begin : end), point(isAlong ? end : begin)])
            // Nearer to its tail, so that the badges of two arrows beside each other are apart.
            let share = arrows.count == 1 ? 0.5 : isAlong ? 0.38 : 0.62
            let badge = point(begin + (end - begin) * share)
            canvas.badge(arrow.number, x: badge.x, y: badge.y)
        }
    }

    /// Where a line from one box down to another meets no third one.
    private func columns(between upper: Box, _ lower: Box) -> (Double, Double) {
        var range = (max(upper.x, lower.x), min(upper.right, lower.right))
        let obstacles = boxes.values.filter {
            $0.parent == upper.parent && $0.y >= upper.bottom && $0.bottom <= lower.y
        }
        for box in obstacles.sorted(by: { $0.x < $1.x }) {
            if box.x > range.0 { range.1 = min(range.1, box.x) } else { range.0 = max(range.0, box.right) }
        }
        return range
    }
}
