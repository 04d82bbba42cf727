#if os(Linux) && canImport(Glibc) && arch(x86_64)
    import Glibc

    /// Counts the operations on locks in some code, by running it instruction by instruction.
    ///
    /// The processor stops after each instruction while the trap flag is set (Intel SDM volume 3, section 19.3), and the
    /// kernel makes a signal of it. A lock is taken and given back by compare-and-exchange of 32 bits; the reference counts
    /// of Swift are words of 64.
    enum SingleSteps {
        private struct State {
            var isWanted = false
            var count = 0
        }

        // Not a variable: the handler may interrupt whatever the runtime does to check accesses to those.
        private static nonisolated(unsafe) let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

        /// How many such exchanges the body makes on this thread.
        static func lockExchanges(in body: () -> Void) -> Int? {
            var action = sigaction()
            var previous = sigaction()
            action.sa_flags = SA_SIGINFO
            action.__sigaction_handler.sa_sigaction = { _, _, context in SingleSteps.step(context) }
            state.initialize(to: State(isWanted: true))
            guard sigaction(SIGTRAP, &action, &previous) == 0 else { return nil }
            defer { sigaction(SIGTRAP, &previous, nil) }
            // From the handler's return on, there is a signal for each instruction.
            raise(SIGTRAP)
            body()
            state.pointee.isWanted = false
            return state.pointee.count
        }

        /// Between two instructions.
        private static func step(_ context: UnsafeMutableRawPointer?) {
            guard let context = context?.assumingMemoryBound(to: ucontext_t.self) else { return }
            withUnsafeMutableBytes(of: &context.pointee.uc_mcontext.gregs) { registers in
                let registers = registers.assumingMemoryBound(to: UInt.self)
                let (instruction, flags, trapFlag) = (16, 17, UInt(0x100))
                guard state.pointee.isWanted else {
                    registers[flags] &= ~trapFlag
                    return
                }
                registers[flags] |= trapFlag
                guard let code = UnsafePointer<UInt8>(bitPattern: registers[instruction]) else { return }
                if isLockExchange(code) { state.pointee.count += 1 }
            }
        }

        /// `lock cmpxchg r/m32, r32` (Intel SDM volume 2, 'CMPXCHG').
        private static func isLockExchange(_ code: UnsafePointer<UInt8>) -> Bool {
            guard code[0] == 0xF0 else { return false }
            // A prefix for registers with high numbers, but not the one for 64 bits.
            let start = (0x40...0x47).contains(code[1]) ? 2 : 1
            return code[start] == 0x0F && code[start + 1] == 0xB1
        }
    }
#else
    /// Counts the operations on locks where it can, which is not here.
    enum SingleSteps {
        static func lockExchanges(in body: () -> Void) -> Int? { nil }
    }
#endif
