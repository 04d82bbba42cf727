extension FlatMapFirstStorage {
    /// Reads the base, and for each element that is not ignored an inner sequence beside it.
    ///
    /// Visible to the caller, where the base is known: reading it through its protocol would triple the cost of an ignored
    /// element.
    @inlinable
    static func reading<Base: AsyncSequence & Sendable, Inner: AsyncSequence & Sendable>(
        _ base: Base, through transform: @escaping @Sendable (Base.Element) -> Inner
    ) -> FlatMapFirstStorage where Base.Element: Sendable, Inner.Element == Output {
        FlatMapFirstStorage { storage in
            await withDiscardingTaskGroup { inner in
                do {
                    for try await element in base {
                        switch storage.baseDelivered() {
                        case .startInner:
                            let sequence = transform(element)
                            inner.addTask { await storage.deliver(sequence) }
                        case .ignore: continue
                        case .stop: return
                        }
                    }
                    storage.baseFinished()
                } catch {
                    storage.failed(error)
                }
            }
        }
    }

    @inlinable
    func deliver<Inner: AsyncSequence>(_ inner: Inner) async where Inner.Element == Output {
        do {
            for try await output in inner {
                if inner is any OneElementSequence { return innerDeliveredAndFinished(output) }
                guard innerDelivered(output) else { return }
            }
            innerFinished()
        } catch {
            failed(error)
        }
    }
}

/// A sequence that always delivers exactly one element.
///
/// Its end needs not be asked for, so delivery and end can be one step: no tap slips in between that sees the result and is
/// ignored all the same.
@usableFromInline
protocol OneElementSequence {}

extension AuthStream: OneElementSequence {}
