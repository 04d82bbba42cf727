import AuthStreams
import AuthStreamsTesting

/// What the rows of the timelines in the article 'Timelines of streams' are.
enum StreamTimelines {
    typealias Parts = @Sendable (TimelineRows) throws -> Void

    /// By the names that stand over the pictures.
    static let parts: [String: Parts] = [
        "late reader": lateReader,
        "slow reader": slowReader,
        "latest": latest,
        "finish": finish,
        "break and cancel": breakAndCancel,
        "button and picker": buttonAndPicker,
        "taps before the loop": tapsBeforeTheLoop,
        "slow reader of an operator": slowReaderOfAnOperator,
        "retry": retry,
        "timeout": timeout,
        "cancel or committed": cancelOrCommitted,
    ]

    private static let lateReader: Parts = { rows in
        let (states, events) = (Broadcast<Character>("p"), Broadcast<Character>())
        rows.write(
            "send",
            send: { element in
                states.send(element)
                events.send(element)
            },
            finish: {
                states.finish()
                events.finish()
            })
        rows.output("early", states)
        rows.output("late", states)
        rows.output("events", events)
    }

    private static let slowReader: Parts = { rows in
        let broadcast = Broadcast<Character>("p", limit: 3)
        rows.write("send", to: broadcast)
        rows.output("quick", broadcast, skipped: \.skipped)
        rows.output("slow", broadcast, skipped: \.skipped)
        rows.output("slower", broadcast, skipped: \.skipped)
    }

    private static let latest: Parts = { rows in
        let broadcast = Broadcast<Character>("p")
        rows.write("send", to: broadcast)
        rows.output("every", broadcast)
        rows.output("latest", broadcast.latest)
    }

    private static let finish: Parts = { rows in
        let broadcast = Broadcast<Character>("p")
        rows.write("send", to: broadcast)
        rows.output("waiting", broadcast)
        rows.output("busy", broadcast)
        rows.output("latest", broadcast.latest)
        rows.output("late", broadcast)
    }

    private static let breakAndCancel: Parts = { rows in
        let broadcast = Broadcast<Character>("p")
        rows.write("send", to: broadcast)
        rows.output("leaves", broadcast)
        rows.output("cancelled", broadcast)
        rows.output("stays", broadcast)
    }

    /// An attempt that answers with its own name after four instants.
    private static func attempt(_ name: Character, _ rows: TimelineRows) -> AuthStream<Character> {
        AuthStream {
            try await rows.clock.sleep(for: .seconds(4))
            return name
        }
    }

    private static let buttonAndPicker: Parts = { rows in
        let taps = Broadcast<Character>()
        rows.write("taps", to: taps)
        rows.output("first", taps.flatMapFirst { attempt($0, rows) }, as: .results())
        rows.output("latest", taps.flatMapLatest { attempt($0, rows) }, as: .results())
    }

    private static let tapsBeforeTheLoop: Parts = { rows in
        let (kept, broadcast) = (AsyncStream<Character>.makeStream(), Broadcast<Character>())
        rows.write(
            "taps",
            send: { tap in
                kept.continuation.yield(tap)
                broadcast.send(tap)
            },
            finish: {
                kept.continuation.finish()
                broadcast.finish()
            })
        rows.output("stream", kept.stream.flatMapFirst { AuthStream.success($0) }, as: .results())
        rows.output("broadcast", broadcast.flatMapFirst { AuthStream.success($0) }, as: .results())
    }

    private static let slowReaderOfAnOperator: Parts = { rows in
        let taps = Broadcast<Character>()
        rows.write("taps", to: taps)
        rows.output("latest", taps.flatMapLatest { rows.input("\($0)") })
    }

    private static let retry: Parts = { rows in
        let attempts = rows.log("attempts")
        let count = Lock(0)
        let sync = AuthStream<Character> {
            let name: Character = count.withLock { count in
                count += 1
                return "\(count)".last ?? "?"
            }
            attempts(name)
            guard name == "3" else { throw AuthError(.server, "Down.") }
            return name
        }
        rows.output("result", sync.retry(3, clock: rows.clock), as: .results())
    }

    private static let timeout: Parts = { rows in
        let polite = AuthStream<Character> {
            try await rows.clock.sleep(for: .seconds(6))
            return "a"
        }
        let committed = AuthStream<Character> { await ignoringCancellation(.seconds(6), rows, "b") }
        rows.output("polite", polite.timeout(.seconds(4), clock: rows.clock), as: .results())
        rows.output("committed", committed.timeout(.seconds(4), clock: rows.clock), as: .results())
    }

    private static let cancelOrCommitted: Parts = { rows in
        let polite = AuthStream<Character> {
            try await rows.clock.sleep(for: .seconds(6))
            return "a"
        }
        let committed = AuthStream<Character> { await ignoringCancellation(.seconds(6), rows, "b") }
        let bridged = AuthStream<Character>.callback(timeLimit: nil) { callback in
            rows.task {
                try? await rows.clock.sleep(for: .seconds(6))
                callback.succeed("c")
            }
        }
        rows.output("polite", polite, as: .results())
        rows.output("committed", committed, as: .results())
        rows.output("callback", bridged, as: .results())
    }

    /// A server that was already asked continues.
    private static func ignoringCancellation(
        _ duration: Duration, _ rows: TimelineRows, _ answer: Character
    ) async -> Character {
        await rows.task { try? await rows.clock.sleep(for: duration) }.value
        return answer
    }
}
