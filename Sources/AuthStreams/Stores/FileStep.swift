/// What a ``FileSessionStore`` has just done: where a test may kill the process.
package enum FileStep: String, CaseIterable, Sendable {
    /// An empty temporary file stands in the folder.
    case temporaryMade
    /// The new record is written to it.
    case dataWritten
    /// The new record is on the disk, under the temporary name.
    case fileFlushed
    /// The new version stands beside the old one, and is the one that counts.
    case linked
    /// The folder's list of names is on the disk; the write or the removal is done.
    case folderFlushed
    /// The versions before are gone.
    case swept
    /// A lock is held.
    case lockTaken
    /// A lock was given back.
    case lockReleased

    package typealias Observer = @Sendable (FileStep) -> Void
}
