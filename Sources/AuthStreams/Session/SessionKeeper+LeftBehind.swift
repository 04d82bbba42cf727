import Foundation

extension SessionKeeper {
    /// How far the library is with what another SDK left, as it stands in the store.
    enum Mark: String {
        /// It was taken up, or is older than what ended here: it is not to be asked for again.
        case taken
        /// The other SDK has let go of it, too.
        case released
    }

    /// `nil` when it was never taken up.
    func mark() async throws(AuthError) -> Mark? {
        try await store.read(.adoption).map { Mark(rawValue: String(decoding: $0, as: UTF8.self)) ?? .taken }
    }

    /// Notes that what another SDK left is not to be asked for again. Only inside ``writing(_:)``.
    func markTaken() async throws(AuthError) {
        if try await mark() == nil { try await store.write(Data(Mark.taken.rawValue.utf8), for: .adoption) }
    }

    /// Makes the other SDK let go of what was taken up: the mark is made only after it was stored, or is over.
    func letGo() async {
        guard let leftBehind else { return }
        await launchGate.run {
            // What fails here is tried again at the next launch.
            guard (try? await mark()) == .taken, (try? await leftBehind.letGo()) != nil else { return }
            await writing { try? await store.write(Data(Mark.released.rawValue.utf8), for: .adoption) }
        }
    }
}
