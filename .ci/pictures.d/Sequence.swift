/// Who calls whom, from top to bottom. An ending is a frame: what follows in one case, and then nothing.
func sequence(_ table: Table) throws -> Canvas {
    var drawing = SequenceDrawing(table)
    for line in table.lines { try drawing.draw(line) }
    return try drawing.finished()
}

private struct SequenceDrawing {
    private let lanes: [[String]]
    private let holds: [[String]]
    private let places: [String: Double]
    /// The frames, which stand behind the lanes, and what stands before them.
    private var (back, front) = (Canvas(), Canvas())
    private var y = 52.0
    /// Where the ending under way begins.
    private var frame: Double?
    /// What a lane holds from one step to another is a bar: those that have begun, by lane, and those that have ended.
    private var (begins, bars): ([String: Double], [(x: Double, from: Double, to: Double)]) = ([:], [])
    private var isAfterResult = false

    init(_ table: Table) {
        (lanes, holds) = (table.rows("lane"), table.rows("hold"))
        let margin = lanes.count > 3 ? 48.0 : 58
        let distance = (Canvas.width - 2 * margin) / Double(max(lanes.count - 1, 1))
        let named = lanes.enumerated().map { index, lane in (lane[0], margin + distance * Double(index)) }
        places = Dictionary(named) { first, _ in first }
    }

    private func place(_ lane: String) throws -> Double {
        guard let place = places[lane] else { throw PictureError("There is no lane '\(lane)'.") }
        return place
    }

    mutating func draw(_ line: Table.Line) throws {
        let fields = line.fields
        switch line.word {
        case "step":
            endFrame()
            try drawStep(from: fields[0], to: fields[1], fields[2])
        case "ending step": try drawStep(from: fields[0], to: fields[1], fields[2])
        case "result":
            endFrame()
            // Results that follow each other come at the same time.
            if isAfterResult { y -= 36 }
            try drawResult(of: fields[0], fields[1])
        case "ending result": try drawResult(of: fields[0], fields[1])
        case "ending":
            endFrame()
            beginFrame(fields[0])
        default: break
        }
        isAfterResult = line.word == "result"
    }

    private mutating func drawStep(from sender: String, to receiver: String, _ what: String) throws {
        let (from, to) = (try place(sender), try place(receiver))
        let font = Canvas.Font.body
        let lines = font.lines(what, within: abs(to - from) - 10)
        let width = lines.map { font.width(of: $0) }.max() ?? 0
        let middle = min(max((from + to) / 2, 12 + width / 2), Canvas.width - 12 - width / 2)
        front.text(lines, x: middle, top: y, font, anchor: .middle, over: frame == nil ? .ground : .frame)
        y += font.lineHeight * Double(lines.count) + 6
        front.arrow([(from, y), (to + (to > from ? -1 : 1), y)])
        for hold in holds {
            if [receiver, what] == [hold[0], hold[1]] { begins[receiver] = y }
            if [sender, what] == [hold[0], hold[2]], let begin = begins.removeValue(forKey: sender) {
                bars.append((from, begin, y))
            }
        }
        y += 12
    }

    private mutating func drawResult(of lane: String, _ what: String) throws {
        let width = Canvas.Font.name.width(of: what) + 22
        let middle = max(try place(lane), 12 + width / 2)
        front.box(x: middle - width / 2, y: y, width: width, height: 27, .pill, radius: 13)
        front.text([what], x: middle, top: y + 4, .name, .state, anchor: .middle)
        y += 36
    }

    private mutating func beginFrame(_ title: String) {
        frame = y
        let lines = Canvas.Font.title.lines(title, within: Canvas.width - 32)
        front.text(lines, x: 16, top: y + 7, .title, over: .frame)
        y += 11 + Canvas.Font.title.lineHeight * Double(lines.count)
    }

    private mutating func endFrame() {
        guard let begin = frame else { return }
        back.box(x: 6, y: begin, width: Canvas.width - 12, height: y - begin, .frame)
        y += 10
        frame = nil
    }

    mutating func finished() throws -> Canvas {
        endFrame()
        guard bars.count == holds.count else { throw PictureError("A bar has no beginning or no end.") }
        for lane in lanes {
            let place = try place(lane[0])
            back.line([(place, 42), (place, y)], .line, isDashed: true)
        }
        for bar in bars { back.box(x: bar.x - 5, y: bar.from, width: 10, height: bar.to - bar.from, .bar, radius: 3) }
        for lane in lanes {
            let width = Canvas.Font.title.width(of: lane[1]) + 20
            back.box(x: try place(lane[0]) - width / 2, y: 12, width: width, height: 30, .box)
            back.text([lane[1]], x: try place(lane[0]), top: 17, .title, anchor: .middle)
        }
        back.add(front)
        back.height = y + 8
        return back
    }
}
