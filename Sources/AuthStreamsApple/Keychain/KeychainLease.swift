#if AUTH_SECURITY
    import AuthStreams
    import Foundation

    /// A lock across processes: an item of the keychain, whose tag names the holder and counts its renewals.
    ///
    /// ```
    /// waiting ── take ──▶ held ── renew ──▶ held ── release, expiry ──▶ over
    /// ```
    ///
    /// The holder renews the item. A process that has seen one tag for the whole `duration` takes the item over, by an update
    /// that names this tag. The holder trusts its lease for `duration` from before its last renewal, so it stops before
    /// another process may begin. Both measure by the clock that runs while the device sleeps; the date is not used, so
    /// nothing depends on it.
    final class KeychainLease: Sendable {
        /// How long a lease lasts, and how often it is renewed.
        enum Timing {
            /// Less than the 30 s for which an operation waits for locks.
            static let duration = Duration.seconds(20)
            static let renewal = Duration.seconds(5)
        }

        enum Attempt {
            case taken
            /// Another process has the item.
            case busy(KeychainItem.Identity)
            /// The item went away meanwhile.
            case changed
        }

        private enum State {
            case waiting
            case held(until: Duration)
            case over
        }
        private let item: KeychainItem
        private let clock: AuthClock
        private let owner = UUID().uuidString
        /// Guards the state and the changes of the item, so that a release is not overtaken by a renewal.
        private let state = Lock(State.waiting)
        private let isOver = Promise<Void>()

        init(_ item: KeychainItem, clock: AuthClock) {
            self.item = item
            self.clock = clock
        }

        // MARK: Taking

        /// Takes the lease if it is free.
        ///
        /// - Parameter stale: A tag that was not renewed in time; an item with it is taken over.
        /// - Throws: `storage` when the lease is over; `storageLocked`, `storage` or `misconfigured`.
        func take(over stale: Data? = nil) throws(AuthError) -> Attempt {
            try state.withLock { state throws(AuthError) in
                guard case .waiting = state else { throw .processIsSuspended }
                let begin = clock.uptime
                let isTaken =
                    if let stale { try item.replace(stale, by: tag(1), Data()) } else { try item.add(tag(1), Data()) }
                if isTaken {
                    state = .held(until: begin + Timing.duration)
                    return .taken
                }
                guard stale == nil, let contents = try item.read() else { return .changed }
                return .busy(contents.identity)
            }
        }

        // MARK: Holding

        /// Whether the item is this lease's, and was renewed in time.
        var isHeld: Bool {
            let now = clock.uptime
            guard case .held(let end) = state.withLock({ $0 }), now < end else { return false }
            return (try? ownTag()) != nil
        }

        /// Renews the lease until it is over.
        func keep() async {
            while isOver.current == nil {
                await clock.sleep(for: Timing.renewal, unless: isOver)
                renew()
            }
        }

        private func renew() {
            let isLost = state.withLock { state in
                guard case .held = state else { return false }
                let begin = clock.uptime
                do throws(AuthError) {
                    // Also when it was due long ago: the update finds the item only if no other process has had it.
                    let isRenewed = if let tag = try ownTag() { try item.replace(tag, by: next(tag)) } else { false }
                    state = isRenewed ? .held(until: begin + Timing.duration) : .over
                    return !isRenewed
                } catch {
                    // Repeated at the next renewal; until then the lease may end.
                    return false
                }
            }
            if isLost { isOver.resolve(()) }
        }

        // MARK: The end

        /// Gives the lease back, also if it was never taken. It cannot be taken again.
        ///
        /// If the keychain fails, the item stays, and is taken over when it was not renewed in time.
        func giveBack() {
            state.withLock { state in
                if let tag = try? ownTag() { try? item.delete(.tag(tag)) }
                state = .over
            }
            isOver.resolve(())
            DarwinNotification.post(item.place.notification(of: item))
        }

        // MARK: The tag

        private func tag(_ renewals: Int) -> Data { Data("\(owner)/\(renewals)".utf8) }

        private func next(_ tag: Data) -> Data {
            let count = String(decoding: tag, as: UTF8.self).split(separator: "/").last.flatMap { Int($0) } ?? 0
            return self.tag(count + 1)
        }

        /// The item's tag; `nil` if it is not this lease's.
        private func ownTag() throws(AuthError) -> Data? {
            guard let tag = try item.read()?.tag, tag.starts(with: Data("\(owner)/".utf8)) else { return nil }
            return tag
        }
    }
#endif
