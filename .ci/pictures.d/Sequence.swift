/// Who calls whom, from top to bottom. An ending is a frame: what follows in one case, and then nothing.
func sequence(_ table: Table) throws -> Canvas {
    var (canvas, over) = (Canvas(), Canvas())
    let lanes = table.rows("lane")
    let margin = lanes.count > 3 ? 48.0 : 58
    let places = Dictionary(
        uniqueKeysWithValues: lanes.enumerated().map { index, lane in
            (lane[0], margin + (Canvas.width - 2 * margin) * Double(index) / Double(lanes.count - 1))
        })
    func place(_ lane: String) throws -> Double {
        guard let place = places[lane] else { throw PictureError("There is no lane '\(lane)'.") }
        return place
    }
    var y = 12.0
    for lane in lanes {
        let width = Canvas.Font.title.width(of: lane[1]) + 20
        over.box(x: try place(lane[0]) - width / 2, y: y, width: width, height: 30, .box)
        over.text([lane[1]], x: try place(lane[0]), top: y + 5, .title, anchor: .middle)
    }
    y += 40
    let top = y
    var frame: Double?
    // What a lane holds from one step to another is a bar.
    var (begins, bars): ([String: Double], [(x: Double, from: Double, to: Double)]) = ([:], [])
    var isAfterResult = false
    func close(_ frames: inout Canvas) {
        if let begin = frame { frames.box(x: 6, y: begin, width: Canvas.width - 12, height: y - begin, .frame) }
        if frame != nil { y += 10 }
        frame = nil
    }
    for line in table.lines {
        let isInside = line.word.hasPrefix("ending ")
        if !isInside, ["step", "result", "ending"].contains(line.word) { close(&canvas) }
        let ground: Ground = isInside ? .frame : .ground
        let isResult = line.word.hasSuffix("result")
        switch line.word {
        case "ending":
            frame = y
            let lines = Canvas.Font.title.lines(line.fields[0], within: Canvas.width - 32)
            over.text(lines, x: 16, top: y + 7, .title, over: .frame)
            y += 11 + Canvas.Font.title.lineHeight * Double(lines.count)
        case "step", "ending step":
            let (from, to) = (try place(line.fields[0]), try place(line.fields[1]))
            let font = Canvas.Font.body
            let lines = font.lines(line.fields[2], within: abs(to - from) - 10)
            let width = lines.map { font.width(of: $0) }.max() ?? 0
            let middle = min(max((from + to) / 2, 12 + width / 2), Canvas.width - 12 - width / 2)
            over.text(lines, x: middle, top: y, font, anchor: .middle, over: ground)
            y += font.lineHeight * Double(lines.count) + 6
            over.arrow([(from, y), (to + (to > from ? -1 : 1), y)])
            for hold in table.rows("hold") {
                if line.fields[1] == hold[0], line.fields[2] == hold[1] { begins[hold[0]] = y }
                if line.fields[0] == hold[0], line.fields[2] == hold[2], let begin = begins[hold[0]] {
                    bars.append((try place(hold[0]), begin, y))
                    begins[hold[0]] = nil
                }
            }
            y += 12
        case "result", "ending result":
            // Results that follow each other come at the same time.
            if isAfterResult, line.word == "result" { y -= 36 }
            let width = Canvas.Font.name.width(of: line.fields[1]) + 22
            let middle = max(try place(line.fields[0]), 12 + width / 2)
            over.box(x: middle - width / 2, y: y, width: width, height: 27, .pill, radius: 13)
            over.text([line.fields[1]], x: middle, top: y + 4, .name, .state, anchor: .middle)
            y += 36
        default: break
        }
        isAfterResult = isResult
    }
    close(&canvas)
    guard bars.count == table.rows("hold").count else { throw PictureError("A bar has no beginning or no end.") }
    for lane in lanes { canvas.line([(try place(lane[0]), top - 10), (try place(lane[0]), y)], .line, isDashed: true) }
    for bar in bars { canvas.box(x: bar.x - 5, y: bar.from, width: 10, height: bar.to - bar.from, .bar, radius: 3) }
    canvas.add(over)
    canvas.height = y + 8
    return canvas
}
