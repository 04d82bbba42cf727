/// Boxes below each other, and what each hands to the next.
func chain(_ table: Table) throws -> Canvas {
    var canvas = Canvas()
    let (left, right) = (34.0, Canvas.width - 12)
    let (nodes, hops) = (table.rows("node"), table.rows("hop"))
    guard hops.map({ $0[0] }) == nodes.dropLast().map({ $0[0] }),
        hops.map({ $0[1] }) == nodes.dropFirst().map({ $0[0] })
    else { throw PictureError("The hops do not lead from each node to the next.") }
    let failures = Dictionary(table.rows("failure").map { ($0[0], $0) }) { first, _ in first }
    var (y, state) = (12.0, "")
    var failed: [Double] = []
    let first = y + 22
    for (index, node) in nodes.enumerated() {
        let height = 46.0
        canvas.box(x: left, y: y, width: right - left, height: height, .box)
        canvas.text([node[0]], x: left + 14, top: y + 4, .name)
        canvas.text([node[1]], x: left + 14, top: y + 24, .body, .quiet)
        if failures[node[0]] != nil { failed.append(y + height / 2) }
        y += height
        guard index < hops.count else { break }
        let hop = hops[index]
        let isNew = hop[3] != state
        let gap = isNew ? 54.0 : 36
        canvas.arrow([(left + 28, y + 2), (left + 28, y + gap - 2)])
        canvas.text([hop[2]], x: left + 46, top: y + (isNew ? 8 : 9), .code)
        if isNew { canvas.text([hop[3]], x: left + 46, top: y + 27, .code, .state) }
        state = hop[3]
        y += gap
    }
    if let last = failed.last {
        for place in failed { canvas.line([(left, place), (14, place)], .failure, isDashed: true) }
        canvas.arrow([(14, last), (14, first), (left, first)], .failure, isDashed: true)
    }
    y += 14
    canvas.text(["signingIn(…)"], x: left, top: y, .code, .state)
    canvas.text(["the state of the service"], x: left + 106, top: y, .body, .quiet)
    y += 24
    for failure in Set(failures.values.map { "\($0[1]), then \($0[2])" }).sorted() {
        canvas.line([(14, y + 9), (left - 6, y + 9)], .failure, isDashed: true)
        canvas.text([failure], x: left, top: y, .code, .failure)
        y += 24
    }
    canvas.height = y + 6
    return canvas
}
