public import AuthStreams

extension TimelineRows {
    /// Plays a row with effects outside the timeline: calls `send` at its elements, and `finish` at its `|`.
    ///
    /// ```swift
    /// rows.write("taps", send: { store.tap($0) })
    /// ```
    public func write<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>, send: @escaping @Sendable (Element) -> Void,
        finish: @escaping @Sendable () -> Void = {}
    ) {
        _ = stage.cast(
            name, as: "a row that writes: it takes elements - |",
            allowing: { mark in
                if case .element(let character) = mark { alphabet.read(character) != nil } else { mark == .end }
            },
            make: { TimelineWriter(stage: stage, row: $0, alphabet: alphabet, send: send, finish: finish) })
    }

    /// Plays a row with effects outside the timeline: calls `send` at its characters, and `finish` at its `|`.
    public func write(
        _ name: String, send: @escaping @Sendable (Character) -> Void, finish: @escaping @Sendable () -> Void = {}
    ) {
        write(name, as: .characters, send: send, finish: finish)
    }

    /// Plays a row that sends its elements to a broadcast, and finishes it at its `|`.
    public func write<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>, to broadcast: Broadcast<Element>
    ) {
        write(name, as: alphabet, send: { broadcast.send($0) }, finish: { broadcast.finish() })
    }

    /// Plays a row that sends its characters to a broadcast, and finishes it at its `|`.
    public func write(_ name: String, to broadcast: Broadcast<Character>) {
        write(name, as: .characters, to: broadcast)
    }

    /// Plays a row that shows the test's notes, at the instant at which they are added.
    ///
    /// - Returns: A closure that adds an element.
    public func log<Element: Sendable>(
        _ name: String, as alphabet: TimelineAlphabet<Element>
    ) -> @Sendable (Element) -> Void {
        let log = stage.cast(
            name, as: "a log row: it shows elements and -", allowing: \.isElement,
            make: { TimelineLog(stage: stage, row: $0) })
        return { [stage] element in
            guard let log else { return }
            let (mark, note) = stage.mark(for: element, alphabet, row: log.row)
            stage.record { $0.add([mark], to: log.row, note: note) }
        }
    }

    /// Plays a row that shows the test's characters, at the instant at which they are added.
    ///
    /// - Returns: A closure that adds a character.
    public func log(_ name: String) -> @Sendable (Character) -> Void { log(name, as: .characters) }
}
