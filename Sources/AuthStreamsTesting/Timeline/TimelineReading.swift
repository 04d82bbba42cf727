/// Which of its two functions a timeline's readers call on an iterator.
///
/// Iterators that implement both must behave alike: `for await` takes one or the other by the age of the system.
public enum TimelineReading: Sendable, CaseIterable {
    /// `next(isolation:)`, as `for await` does on iOS 18, macOS 15, Linux and later.
    case isolatedNext
    /// `next()`, as `for await` does on older Apple systems.
    case plainNext
}
