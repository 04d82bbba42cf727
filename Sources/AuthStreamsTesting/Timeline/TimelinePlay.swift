import AuthStreams

/// One performance of a timeline.
struct TimelinePlay {
    let picture: TimelinePicture
    let instant: Duration
    let reading: TimelineReading
    var cancellation: TimelineCancellation?

    func run(_ connect: (TimelineRows) throws -> Void) throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
            throw TimelineError(
                "A timeline needs the task executors of iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2.")
        }
        let executor = ManualExecutor()
        executor.stayOnThisThread()
        let stage = TimelineStage(
            picture, script: cancellation?.script(picture.rows) ?? picture.rows, reading: reading,
            start: { body in Task(executorPreference: executor) { await body() } })
        // The operators start their tasks through this, including those of a row's reader.
        try TaskSpawner.withStarter(stage.start) {
            defer { leave(stage, executor) }
            try connect(TimelineRows(stage: stage))
            for instant in 0..<picture.width {
                stage.record { $0.instant = instant }
                if instant > 0 { stage.clock.advance(by: self.instant) }
                try rest(stage, executor)
                try perform(instant, stage, executor)
            }
        }
        if let error = stage.error { throw error }
        if executor.hasGuests { throw Self.strayed }
        try compare(stage)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func perform(_ instant: Int, _ stage: TimelineStage, _ executor: ManualExecutor) throws {
        for row in stage.script.indices where stage.script[row].beginning == instant {
            stage.part(of: row)?.begin()
            try rest(stage, executor)
        }
        for row in stage.script.indices {
            stage.part(of: row)?.act(at: instant)
            try rest(stage, executor)
        }
        for row in stage.script.indices { stage.part(of: row)?.settle(at: instant) }
    }

    /// Runs all tasks until they are suspended.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func rest(_ stage: TimelineStage, _ executor: ManualExecutor) throws {
        let rests = executor.run(atMost: Self.patience)
        if let error = stage.error { throw error }
        guard rests else {
            throw TimelineError(
                "Instant \(stage.instant) does not end: a task runs on without waiting for anything.")
        }
    }

    /// Ends everything that the play started; later events do not count.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func leave(_ stage: TimelineStage, _ executor: ManualExecutor) {
        stage.close()
        executor.run(atMost: Self.patience)
    }

    private func compare(_ stage: TimelineStage) throws {
        var expected: [TimelineRow] = []
        var actual: [TimelineRow] = []
        for (row, whole) in picture.rows.enumerated() {
            let part = stage.part(of: row)
            let fate = part.map { type(of: $0).fate } ?? .cancelled
            let wanted = cancellation?.expected(whole, at: row, fate: fate) ?? whole
            guard part != nil || wanted.beginning == nil else {
                throw picture.error(
                    "No part plays row \"\(wanted.name)\": input, output, write and log give a row its part.", row: row,
                    instant: 0)
            }
            expected.append(wanted)
            actual.append(
                TimelineRow(name: wanted.name, cells: stage.record { $0.cells(of: row, width: picture.width) }))
        }
        if let mismatch = TimelineMismatch(expected: expected, actual: actual, notes: stage.record { $0.notes }) {
            throw mismatch
        }
    }

    /// The maximum number of jobs per instant.
    private static var patience: Int { 100_000 }

    private static var strayed: TimelineError {
        TimelineError(
            """
            Something of this timeline ran on another thread, in its own time, so its order is a matter of luck. Does \
            an operator start a plain Task {}? TimelineRows.task starts one on the timeline.
            """)
    }
}
