/// The cancellation of one reader at one instant, and the expected timeline after it.
struct TimelineCancellation: Sendable {
    let row: Int
    let instant: Int
    /// What the reader still receives.
    let last: [TimelineMark]

    /// One for each instant at which the reader is active and continues.
    static func all(
        of reader: String, delivering last: String, in picture: TimelinePicture
    ) throws(TimelineError) -> [TimelineCancellation] {
        guard let row = picture.rows.firstIndex(where: { $0.name == reader }) else {
            throw TimelineError("There is no row with the name \"\(reader)\" to cancel.")
        }
        if let instant = picture.rows[row].cells.firstIndex(where: { $0.marks.contains(.cancel) }) {
            throw picture.error(
                "This row is to be cancelled at each instant; leave out the X.", row: row, instant: instant)
        }
        let marks = last.compactMap(TimelineMark.init)
        guard marks.count == last.count, marks.allSatisfy(\.isElement) else {
            throw TimelineError("A cancelled reader can be given elements, and \"\(last)\" is something else.")
        }
        return (0..<picture.width)
            .filter { picture.rows[row].isThere(after: $0) }
            .map { TimelineCancellation(row: row, instant: $0, last: marks) }
    }

    /// Returns the script of the rows: only the cancelled one differs. A reader that is busy stays so until then.
    func script(_ rows: [TimelineRow]) -> [TimelineRow] {
        var rows = rows
        let isBusy = rows[row][instant].marks == [.busy]
        rows[row] = rows[row].cut(at: instant, marks: (isBusy ? [.busy] : []) + [.cancel])
        return rows
    }

    /// Returns the expectation for a row.
    func expected(_ row: TimelineRow, at place: Int, fate: TimelineFate) -> TimelineRow {
        guard place != self.row else { return row.cancelled(at: instant, delivering: last) }
        return switch fate {
        case .none: row
        case .cancelled: row.cancelled(at: instant, delivering: [])
        case .silenced: row.silenced(after: instant)
        }
    }
}

extension TimelineRow {
    /// Whether the row has begun at the instant and has not ended after it.
    func isThere(after instant: Int) -> Bool {
        let marks = self[instant].marks
        return self[instant] != .absent && !marks.contains(where: \.isLast) && !marks.contains(.cancel)
    }

    fileprivate func cancelled(at instant: Int, delivering last: [TimelineMark]) -> TimelineRow {
        guard isThere(after: instant) else {
            let isStillToCome = (beginning ?? 0) > instant
            return isStillToCome ? TimelineRow(name: name, cells: []) : self
        }
        // A reader that was busy until then is cancelled before it continues.
        let isBusy = [self[instant], self[instant - 1]].contains { $0.marks == [.busy] }
        return cut(at: instant, marks: (isBusy ? [] : self[instant].marks) + [.cancel] + last)
    }

    fileprivate func cut(at instant: Int, marks: [TimelineMark]) -> TimelineRow {
        TimelineRow(name: name, cells: cells.prefix(instant) + [.marks(marks)])
    }

    fileprivate func silenced(after instant: Int) -> TimelineRow {
        let rest = cells.dropFirst(instant + 1).map { $0 == .absent ? $0 : TimelineCell.quiet }
        return TimelineRow(name: name, cells: cells.prefix(instant + 1) + rest)
    }
}
