import Foundation

/// States as boxes in rows of twelve columns, with numbered arrows, and what the numbers mean.
func states(_ table: Table) throws -> Canvas {
    var canvas = Canvas()
    var drawing = StateDrawing(arrows: table.rows("arrow"))
    let end = try drawing.place(
        table.rows("state"), x: 12, y: 12, width: Canvas.width - 24, gap: 76, inside: table.rows("substate"),
        on: &canvas)
    try drawing.draw(on: &canvas)
    var y = end + 16
    for (index, arrow) in table.rows("arrow").enumerated() {
        canvas.badge(index + 1, x: 22, y: y + 10)
        canvas.text([arrow[2]], x: 42, top: y + 1, .body)
        y += 25
    }
    canvas.height = y + 8
    return canvas
}

private struct StateDrawing {
    struct Box {
        var x, y, width, height: Double
        var right: Double { x + width }
        var bottom: Double { y + height }
        /// What holds it.
        let parent: String?
    }

    private var boxes: [String: Box] = [:]
    private let arrows: [(number: Int, from: String, to: String)]

    init(arrows: [[String]]) {
        self.arrows = arrows.enumerated().flatMap { index, arrow in
            arrow[0].components(separatedBy: ", ").map { (index + 1, $0, arrow[1]) }
        }
    }

    /// Places boxes.
    ///
    /// - Returns: Where they end.
    mutating func place(
        _ states: [[String]], x: Double, y: Double, width: Double, gap: Double, inside substates: [[String]],
        in parent: String? = nil, on canvas: inout Canvas
    ) throws -> Double {
        var y = y
        let rows = Dictionary(grouping: states) { $0[4] }
        for row in rows.keys.sorted() {
            let states = rows[row] ?? []
            let captions = try states.map { state in
                guard let column = Double(state[2]), let span = Double(state[3]) else {
                    throw PictureError("'\(state[0])' has no place.")
                }
                let box = (x: x + width * column / 12, width: width * span / 12)
                return (box, Canvas.Font.body.lines(state[1], within: box.width - 16))
            }
            var height = captions.map { 32 + Canvas.Font.body.lineHeight * Double($1.count) }.max() ?? 0
            for (state, (box, caption)) in zip(states, captions) {
                let children = substates.filter { $0[1] == state[0] }
                if !children.isEmpty {
                    // The children are measured before they are drawn on their ground.
                    var measured = Canvas()
                    var copy = self
                    let end = try copy.placeChildren(children, of: state[0], box, y + height, on: &measured)
                    height = end - y + 10
                }
                boxes[state[0]] = Box(x: box.x, y: y, width: box.width, height: height, parent: parent)
                canvas.box(x: box.x, y: y, width: box.width, height: height, parent == nil ? .box : .inner)
                let middle = box.x + box.width / 2
                canvas.text(
                    [parent == nil ? state[0] : ".\(state[0])"], x: middle, top: y + 5, .name, anchor: .middle)
                canvas.text(caption, x: middle, top: y + 26, .body, .quiet, anchor: .middle)
                if !children.isEmpty {
                    let begin = y + 32 + Canvas.Font.body.lineHeight * Double(caption.count)
                    _ = try placeChildren(children, of: state[0], box, begin, on: &canvas)
                }
            }
            y += height + gap
        }
        return y - gap
    }

    private mutating func placeChildren(
        _ children: [[String]], of parent: String, _ box: (x: Double, width: Double), _ y: Double,
        on canvas: inout Canvas
    ) throws -> Double {
        let states = children.map { [$0[0]] + $0[2...] }
        return try place(
            states, x: box.x + 10, y: y, width: box.width - 20, gap: 70, inside: [], in: parent, on: &canvas)
    }

    // MARK: Arrows

    /// Draws the arrows between the boxes: straight, side by side, and around no box.
    func draw(on canvas: inout Canvas) throws {
        var pairs: [[(number: Int, from: String, to: String)]] = []
        for arrow in arrows {
            let ends = Set([arrow.from, arrow.to])
            if let index = pairs.firstIndex(where: { Set([$0[0].from, $0[0].to]) == ends }) {
                pairs[index].append(arrow)
            } else {
                pairs.append([arrow])
            }
        }
        for pair in pairs {
            guard let first = boxes[pair[0].from], let second = boxes[pair[0].to], first.parent == second.parent
            else { throw PictureError("An arrow has no box: \(pair[0].from), \(pair[0].to)") }
            let isVertical = first.bottom <= second.y || second.bottom <= first.y
            let (near, far) =
                isVertical
                ? (first.y < second.y ? (first, second) : (second, first))
                : (first.x < second.x ? (first, second) : (second, first))
            let nearName = near.x == first.x && near.y == first.y ? pair[0].from : pair[0].to
            var range =
                isVertical
                ? (max(near.x, far.x), min(near.right, far.right)) : (max(near.y, far.y), min(near.bottom, far.bottom))
            if isVertical {
                for box in boxes.values where box.parent == near.parent && box.y >= near.bottom && box.bottom <= far.y {
                    if box.x > range.0 { range.1 = min(range.1, box.x) } else { range.0 = max(range.0, box.right) }
                }
            }
            guard range.1 - range.0 > 20 else { throw PictureError("There is no room for an arrow from \(pair[0]).") }
            for (index, arrow) in pair.enumerated() {
                let share = Double(index + 1) / Double(pair.count + 1)
                let across = range.0 + (range.1 - range.0) * share
                let (begin, end) = isVertical ? (near.bottom, far.y) : (near.right, far.x)
                var points =
                    isVertical
                    ? [(x: across, y: begin), (x: across, y: end)] : [(x: begin, y: across), (x: end, y: across)]
                if arrow.from != nearName { points.reverse() }
                canvas.arrow(points)
                // Nearer to its tail, so that the badges of two arrows beside each other are apart.
                let place = begin + (end - begin) * (pair.count == 1 ? 0.5 : arrow.from == nearName ? 0.38 : 0.62)
                canvas.badge(arrow.number, x: isVertical ? across : place, y: isVertical ? place : across)
            }
        }
    }
}
