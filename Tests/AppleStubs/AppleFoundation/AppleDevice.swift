import Foundation

/// What tests control of the simulated device. The other stubs add their own controls to it.
///
/// A process has one device, as on a phone: Apple's functions are global and run on any thread, so that no task-local
/// value could tell tests apart. Tests that control the device have the trait `.appleDevice`: they run one at a time,
/// and each starts with a device that has just been reset.
public enum AppleDevice {
    public enum LockState: Sendable {
        /// The device has restarted and nobody has entered the passcode yet.
        case beforeFirstUnlock
        case locked
        case unlocked
    }

    /// The queue on which the stubs call code that the app handed them.
    public enum Delivery: Sendable {
        case main
        /// A queue other than the main one.
        case elsewhere
    }

    private struct State {
        var lockState = LockState.unlocked
        var resets: [() -> Void] = []
        var isInUse = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Locked(State())

    public static var lockState: LockState { state.withLock { $0.lockState } }

    /// Locks the device: protected data becomes unavailable. As on a phone, the notification comes before.
    @MainActor public static func lock() {
        NotificationCenter.default.post(name: .init("UIApplicationProtectedDataWillBecomeUnavailable"), object: nil)
        state.withLock { $0.lockState = .locked }
    }

    @MainActor public static func unlock() {
        state.withLock { $0.lockState = .unlocked }
        NotificationCenter.default.post(name: .init("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
    }

    /// Restarts the device, which stays locked. Its processes are the test's concern.
    @MainActor public static func restart() {
        state.withLock { $0.lockState = .beforeFirstUnlock }
    }

    /// Forgets everything: what tests have set, what is stored, and what the app has begun.
    @MainActor public static func reset() {
        let resets = state.withLock { state in
            state.lockState = .unlocked
            return state.resets
        }
        for reset in resets { reset() }
    }

    /// Runs `body` with a device that has just been reset, after those that came before. It is reset again afterwards.
    public static func use(_ body: () async throws -> Void) async rethrows {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                defer { state.isInUse = true }
                if state.isInUse { state.waiting.append(turn) }
                return !state.isInUse
            }
            if isFree { turn.resume() }
        }
        defer {
            let next = state.withLock { state in
                state.isInUse = !state.waiting.isEmpty
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            next?.resume()
        }
        await reset()
        do { try await body() } catch {
            await reset()
            throw error
        }
        await reset()
    }

    /// Registers what a reset of the device does besides.
    package static func onReset(_ reset: @escaping () -> Void) {
        state.withLock { $0.resets.append(reset) }
    }

    private static let mainKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// The queue that this runs on. On Linux, the main queue can have another thread than the main one.
    public static var currentDelivery: Delivery {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) != nil ? .main : .elsewhere
    }

    /// Runs `body` on the main queue, and returns when it has.
    package static func callAndWait<Result>(_ body: @MainActor () -> Result) -> Result {
        withoutActuallyEscaping(body) { body in
            let body = unsafeBitCast(body, to: (() -> Result).self)
            return currentDelivery == .main ? body() : DispatchQueue.main.sync(execute: body)
        }
    }

    /// Runs `body` on the queue of `delivery`, outside the caller.
    ///
    /// Objective-C calls what is isolated to the main actor without asking. So does this.
    package static func call(_ delivery: Delivery, _ body: @escaping @MainActor () -> Void) {
        let body = unsafeBitCast(body, to: (() -> Void).self)
        switch delivery {
        case .main: DispatchQueue.main.async { body() }
        case .elsewhere: DispatchQueue.global().async { body() }
        }
    }
}
