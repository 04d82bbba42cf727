#if os(Linux) && _pointerBitWidth(_64)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif
    import Synchronization

    private let counted = Atomic(0)
    private func note() { _ = counted.add(1, ordering: .relaxed) }

    // Found before anything is redirected, and never changed. They call what the slots called: the real ones, or those of
    // a sanitizer.
    private let next = NextAllocator()

    private struct NextAllocator: @unchecked Sendable {
        typealias Size = @convention(c) (Int) -> UnsafeMutableRawPointer?
        typealias SizeSize = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
        typealias PointerSize = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
        typealias Aligned = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int, Int) -> Int32

        let malloc = function("malloc", as: Size.self)
        let calloc = function("calloc", as: SizeSize.self)
        let realloc = function("realloc", as: PointerSize.self)
        let alignedAlloc = function("aligned_alloc", as: SizeSize.self)
        let posixMemalign = function("posix_memalign", as: Aligned.self)

        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(dlopen(nil, RTLD_LAZY), name).map { unsafeBitCast($0, to: type) }
        }

        var isComplete: Bool {
            malloc != nil && calloc != nil && realloc != nil && alignedAlloc != nil && posixMemalign != nil
        }
    }

    private let countingMalloc: NextAllocator.Size = { size in
        note()
        return next.malloc?(size)
    }
    private let countingCalloc: NextAllocator.SizeSize = { count, size in
        note()
        return next.calloc?(count, size)
    }
    private let countingRealloc: NextAllocator.PointerSize = { pointer, size in
        note()
        return next.realloc?(pointer, size)
    }
    private let countingAlignedAlloc: NextAllocator.SizeSize = { alignment, size in
        note()
        return next.alignedAlloc?(alignment, size)
    }
    private let countingPosixMemalign: NextAllocator.Aligned = { result, alignment, size in
        note()
        return next.posixMemalign?(result, alignment, size) ?? ENOMEM
    }

    /// Counts the calls of `malloc` and its kin, from all modules and threads.
    enum AllocationCounter {
        private static var functions: [String: UnsafeRawPointer] {
            [
                "malloc": unsafeBitCast(countingMalloc, to: UnsafeRawPointer.self),
                "calloc": unsafeBitCast(countingCalloc, to: UnsafeRawPointer.self),
                "realloc": unsafeBitCast(countingRealloc, to: UnsafeRawPointer.self),
                "aligned_alloc": unsafeBitCast(countingAlignedAlloc, to: UnsafeRawPointer.self),
                "posix_memalign": unsafeBitCast(countingPosixMemalign, to: UnsafeRawPointer.self),
            ]
        }

        /// How many there were while somebody counted.
        static let meter: Meter = { Double(counted.load(ordering: .relaxed)) }

        /// Counts while the body runs. Everything runs at full speed before and after.
        static func counting<Result>(_ body: () async -> Result) async -> Result {
            guard next.isComplete else { return await body() }
            let slots = ImportSlots(of: Set(functions.keys))
            slots.redirect(to: functions)
            defer { slots.restore() }
            return await body()
        }

        /// Whether the count can be trusted: it finds each of a known number of objects, and nothing else.
        ///
        /// What another thread allocates meanwhile counts, too. So it is tried up to ten times: a count that is wrong is never
        /// exact.
        static func isTrustworthy() async -> Bool {
            for _ in 0..<10 where await isExact() { return true }
            return false
        }

        private static func isExact() async -> Bool {
            let objects = 1000
            let found = await counting {
                let before = meter()
                for _ in 0..<objects { consume(Probe()) }
                return meter() - before
            }
            return found == Double(objects)
        }
    }

    /// Something that the runtime has to allocate.
    private final class Probe {
        let value: Int

        @inline(never)
        init() { value = counted.load(ordering: .relaxed) }
    }

    extension AllocationCounter {
        /// Why a count is not to be trusted.
        static let doubt = "Allocations cannot be counted here: a known number of them was not found."
    }
#else
    /// Counts allocations where it can, which is not here.
    enum AllocationCounter {
        static let meter: Meter = { 0 }
        static func counting<Result>(_ body: () async -> Result) async -> Result { await body() }
        static func isTrustworthy() async -> Bool { false }
        static let doubt = "Allocations are only counted on Linux."
    }
#endif
