/// A step of a ``FileSessionStore`` after which a test may kill the process.
package enum FileStep: String, CaseIterable, Sendable {
    /// An empty temporary file was created.
    case temporaryMade
    /// The new record is written to it.
    case dataWritten
    /// The new record reaches the disk before its name does.
    case fileOrdered
    /// The new version exists beside the old one, and is the one that counts.
    case linked
    /// The folder's list of names is on the disk; the write or the removal is done.
    case folderFlushed
    /// The older versions were removed.
    case swept
    /// A lock was taken.
    case lockTaken
    /// A lock was released.
    case lockReleased

    package typealias Observer = @Sendable (FileStep) -> Void
}
