/// What a world may be told to do wrong, to show that the judgement notices.
enum WorldFlaw: CaseIterable {
    /// The disk says that it wrote, and did not.
    case forgetfulDisk
    /// A locked disk looks empty.
    case emptyWhileLocked
    /// When nothing should fail any more, no request is answered.
    case silentAtRest
    /// A lock that was lost says that it is held.
    case lossUnnoticed
}
