/// What an app starts, in order, for tests to take. A test that waits for what never comes hangs until the watchdog
/// ends it.
@MainActor package final class Arrivals<Element> {
    private var elements: [Element] = []
    private var takers: [CheckedContinuation<Element, Never>] = []

    package init() {}

    package var count: Int { elements.count }

    package func add(_ element: Element) {
        if takers.isEmpty { elements.append(element) } else { takers.removeFirst().resume(returning: element) }
    }

    package func next() async -> Element {
        guard elements.isEmpty else { return elements.removeFirst() }
        return await withCheckedContinuation { takers.append($0) }
    }

    package func forget() { elements = [] }
}
