/// Faults of the library that were found and are not mended yet, so that they do not hide others. Each goes with its mending.
enum KnownFaults {
    /// A change that is answered with an access token alone clears the note of a refresh whose answer was lost.
    static let changesClearTheNote = true
    /// The answer to a change takes the place of a session that the same user began meanwhile in another process.
    static let changesReplaceNewSessions = true
    /// A sign-in that reads the store first is written although the person signed out meanwhile.
    static let lateSignInsAreWritten = true
    /// Of two processes that take over what another SDK left, neither reads the note of a request of the other.
    static let adoptersDoNotReadNotes = true
    /// A launch that finds no record, and then what another SDK left, does not look again what was stored meanwhile.
    static let adoptionsOverwrite = true
    /// A store that could not be read at the launch is not read again by itself, so that nobody is seen to be signed in.
    static let failedReadsAreFinal = true
    /// What is to be adopted, and is found only after a first reading failed, is asked for by nobody.
    static let lateAdoptionsHaveNobody = true
}
