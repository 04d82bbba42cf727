import AuthStreamsTesting

/// Plays a timeline in both ways in which an iterator can be asked.
func specify(_ picture: String, _ connect: (TimelineRows) throws -> Void) throws {
    for reading in TimelineReading.allCases {
        try Timeline(picture).run(reading: reading, connect)
    }
}

/// Plays a timeline in both ways, and with one reader cancelled at each instant.
func specify(
    _ picture: String, cancelling reader: String, delivering last: String = "", _ connect: (TimelineRows) throws -> Void
) throws {
    for reading in TimelineReading.allCases {
        try Timeline(picture).run(reading: reading, connect)
        try Timeline(picture).run(cancelling: reader, delivering: last, reading: reading, connect)
    }
}
