/// The prompt that the person is shown, now and from now on: `nil` for none.
///
/// ```swift
/// .task { for await prompt in auth.prompts.presenting() { self.prompt = prompt } }  // this view answers prompts
/// ```
///
/// ```
/// attempt     signIn ─── 'code?' ── wrong ──── right ──▶ session
/// prompts     nil ────── code ───── code ───────────────▶ nil          the second with its failure
/// ```
///
/// A reader that only logs reads the sequence itself. One that shows prompts to the person reads ``presenting()``.
///
/// A ``Broadcast`` with a present, with these differences:
///
/// | question | answer |
/// | --- | --- |
/// | lost, repeated, reordered? | the newest prompt only: one that comes while a reader is busy is replaced by the next |
/// | end | when the service is released. The sequence and its iterators do not keep the service alive |
///
/// While the ``SessionGate`` is closed, the prompt of a change of the account is `nil`, and it comes again once the gate is open.
///
/// While no reader presents, a prompt ends its attempt after a second, with the code that says what the server wants, such as
/// `secondFactorRequired`: nothing waits for a view that does not exist. The second bridges a view that is made anew.
public struct AuthPrompts: AsyncSequence, Sendable {
    /// A prompt, or `nil` for none.
    public typealias Element = AuthPrompt?

    private let current: CurrentPrompt
    /// The place of an iterator; `nil` for those that show nothing.
    private let place: (@Sendable () -> AuthPromptPlace)?

    init(_ current: CurrentPrompt, at place: (@Sendable () -> AuthPromptPlace)? = nil) {
        (self.current, self.place) = (current, place)
    }

    /// Joins at the present, and becomes a presenter if the sequence is that of ``presenting()``.
    public func makeAsyncIterator() -> Iterator {
        Iterator(current, at: place?())
    }

    /// The prompts for a reader that shows them to the person.
    ///
    /// Its iterator is a presenter for as long as it exists. Of several, the one that was made last gets the prompts, and the
    /// others get `nil`.
    public func presenting() -> AuthPrompts { AuthPrompts(current) { [current] in .init(of: current, rank: 0) } }

    /// The prompts for a reader at a place of these prompts.
    package func presenting(at place: AuthPromptPlace) -> AuthPrompts { AuthPrompts(current) { place } }

    /// Makes a place at which prompts are shown, as long as it exists.
    package func place(rank: Int) -> AuthPromptPlace { AuthPromptPlace(of: current, rank: rank) }

    /// One reader's place.
    public struct Iterator: AsyncIteratorProtocol {
        private var base: Broadcast<CurrentPrompt.Shown>.Latest.Iterator
        private let place: AuthPromptPlace?
        private var last: Promise<ChallengeAnswer?>??

        init(_ current: CurrentPrompt, at place: AuthPromptPlace?) {
            self.place = place
            base = current.broadcast.latest.makeAsyncIterator()
        }

        /// The next prompt; the outer `nil` ends the sequence.
        public mutating func next() async -> AuthPrompt?? {
            while let shown = await base.next() {
                if let prompt = project(shown) { return prompt }
            }
            return nil
        }

        /// The next prompt, on the caller's actor.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> AuthPrompt?? {
            while let shown = await base.next(isolation: actor) {
                if let prompt = project(shown) { return prompt }
            }
            return nil
        }

        /// The prompt as this reader is shown it; `nil` if that has not changed.
        private mutating func project(_ shown: CurrentPrompt.Shown) -> AuthPrompt?? {
            let isMine = place.map { $0.reader === shown.presenter } ?? true
            var prompt = isMine ? shown.prompt : nil
            prompt?.reader = place?.reader
            if let last, last === prompt?.answer { return nil }
            last = .some(prompt?.answer)
            return .some(prompt)
        }
    }
}

/// A place at which prompts are shown to the person, for as long as it exists.
///
/// Of several, one of the highest rank gets the prompts, of these the one that came there last.
package final class AuthPromptPlace: Sendable {
    let reader = CurrentPrompt.Reader()
    private let current: CurrentPrompt

    init(of current: CurrentPrompt, rank: Int) {
        self.current = current
        move(to: rank)
    }

    deinit { current.move(reader, to: nil) }

    /// Gives the place another rank. One that has it already becomes the last of its rank.
    package func move(to rank: Int) { current.move(reader, to: rank) }
}

/// The prompt that is shown, and the readers that show it.
///
/// One prompt is shown at a time, that of the newest attempt.
final class CurrentPrompt: Sendable {
    /// What readers see.
    struct Shown: Sendable {
        var prompt: AuthPrompt?
        /// The presenter that shows it; `nil` if there is none.
        var presenter: Reader?
    }

    /// The identity of a reader that shows prompts.
    final class Reader: Sendable {}

    private struct Guarded {
        var prompt: AuthPrompt?
        /// In the order of their ranks, those of one rank in the order in which they came there.
        var presenters: [(reader: Reader, rank: Int)] = []
        /// Whether the session's gate is closed.
        var isGateClosed = false
        /// The prompt, if the gate does not hide it.
        var shown: AuthPrompt? { isGateClosed && prompt?.isOfSession == true ? nil : prompt }
        /// Resolved when the first presenter comes or the last one goes.
        var change = Promise<Void>()
    }

    /// Gives a reader that rank, and the last place of those that have it; `nil` takes its place away.
    fileprivate func move(_ reader: Reader, to rank: Int?) {
        change { guarded in
            guarded.presenters.removeAll { $0.reader === reader }
            guard let rank else { return }
            let index = guarded.presenters.firstIndex { $0.rank > rank } ?? guarded.presenters.endIndex
            guarded.presenters.insert((reader, rank), at: index)
        }
    }

    let broadcast = Broadcast(Shown())
    private let guarded = Lock(Guarded())

    private func change<Value>(_ body: (inout Guarded) -> Value) -> Value {
        let (value, delivery, promise) = guarded.withLock { guarded in
            let wasPresented = !guarded.presenters.isEmpty
            let value = body(&guarded)
            let delivery = link(guarded)
            var promise: Promise<Void>?
            if wasPresented == guarded.presenters.isEmpty {
                promise = guarded.change
                guarded.change = Promise()
            }
            return (value, delivery, promise)
        }
        promise?.resolve(())
        delivery?.wakeReaders()
        return value
    }

    /// Publishes what is shown.
    private func link(_ guarded: Guarded) -> BroadcastDelivery? {
        broadcast.link(Shown(prompt: guarded.shown, presenter: guarded.presenters.last?.reader))
    }

    /// The gate was closed or opened.
    func gateChanged(isClosed: Bool) -> BroadcastDelivery? {
        guarded.withLock { guarded in
            guarded.isGateClosed = isClosed
            return link(guarded)
        }
    }

    /// Shows a prompt.
    ///
    /// - Returns: Whether it is shown: not while a newer attempt's is.
    func show(_ prompt: AuthPrompt) -> Bool {
        change { guarded in
            if let shown = guarded.prompt, shown.id.number > prompt.id.number { return false }
            guarded.prompt = prompt
            return true
        }
    }

    /// Cancels the prompt of an attempt that is shown.
    ///
    /// - Parameters:
    ///   - reader: The reader that asks for it. While it exists, and a later one shows the prompt, nothing happens; nor while the
    ///     gate hides the prompt.
    ///   - end: Ends the attempt.
    func cancel(_ attempt: UInt64, by reader: Reader?, _ end: (AuthPrompt) -> Void) {
        guarded.withLock { guarded in
            guard let prompt = guarded.shown, prompt.id.number == attempt else { return }
            let isOfAnother = guarded.presenters.dropLast().contains { $0.reader === reader }
            if !isOfAnother { end(prompt) }
        }
    }

    /// Removes the prompt of an attempt that asks no more.
    func hide(of attempt: UInt64) {
        // Most attempts show none, and then no reader is woken.
        guard guarded.withLock({ $0.prompt?.id.number == attempt }) else { return }
        change { if $0.prompt?.id.number == attempt { $0.prompt = nil } }
    }

    /// Waits until no reader has presented for a second.
    func waitUntilAbandoned(by clock: AuthClock) async {
        while !Task.isCancelled {
            let (isPresented, change) = guarded.withLock { (!$0.presenters.isEmpty, $0.change) }
            guard !isPresented else {
                _ = await change.value()
                continue
            }
            await clock.sleep(for: .seconds(1), unless: change)
            if change.current == nil, !Task.isCancelled { return }
        }
    }
}
