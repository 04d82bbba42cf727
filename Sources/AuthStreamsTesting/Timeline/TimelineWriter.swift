/// Plays a row with outside effects: sends to a broadcast, calls a store, and so on.
struct TimelineWriter<Element: Sendable>: TimelinePart {
    static var fate: TimelineFate { .none }

    let stage: TimelineStage
    let row: Int
    let alphabet: TimelineAlphabet<Element>
    let send: @Sendable (Element) -> Void
    let finish: @Sendable () -> Void

    func begin() { stage.record { [row] in $0.begin(row) } }

    func act(at instant: Int) {
        for mark in stage.script[row][instant].marks {
            stage.record { [row] in $0.add([mark], to: row, ending: mark.isLast) }
            switch mark {
            case .element(let character): if let element = alphabet.read(character) { send(element) }
            case .end: finish()
            case .gap, .failure, .cancel, .leave, .busy: break
            }
        }
    }
}

/// Plays a row that only shows the test's notes.
struct TimelineLog: TimelinePart {
    static let fate = TimelineFate.silenced

    let stage: TimelineStage
    let row: Int

    func begin() { stage.record { [row] in $0.begin(row) } }
}
