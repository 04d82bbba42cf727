#if os(Linux) && canImport(Glibc)
    import Foundation
    import Glibc

    /// How much of the heap is in use.
    enum HeapUse {
        private typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32

        /// Bytes in blocks that were allocated and not freed, in all arenas, with what `malloc` adds to them; `nil` when
        /// `malloc` does not say.
        ///
        /// From `malloc_info` (glibc manual, 'Statistics for Memory Allocation'), because `mallinfo2` returns a struct that
        /// Swift cannot receive without a declaration in C.
        static func bytes() -> Double? {
            guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "malloc_info") else { return nil }
            var text: UnsafeMutablePointer<CChar>?
            var size = 0
            guard let stream = open_memstream(&text, &size) else { return nil }
            let isWritten = unsafeBitCast(symbol, to: Info.self)(0, stream) == 0
            fclose(stream)
            defer { free(text) }
            guard isWritten, let text else { return nil }
            return bytes(in: String(cString: text))
        }

        /// The totals stand behind those of the single arenas: what the system gave, and what of it is free.
        static func bytes(in report: String) -> Double? {
            guard let totals = report.components(separatedBy: "</heap>").last else { return nil }
            func size(of element: String) -> Double? {
                guard let start = totals.range(of: "<\(element) ")?.upperBound,
                    let size = totals.range(of: "size=\"", range: start..<totals.endIndex)?.upperBound
                else { return nil }
                return Double(totals[size...].prefix { $0 != "\"" })
            }
            guard let system = size(of: "system type=\"current\""), let fast = size(of: "total type=\"fast\""),
                let rest = size(of: "total type=\"rest\""), let mapped = size(of: "total type=\"mmap\"")
            else { return nil }
            return system + mapped - fast - rest
        }
    }
#else
    /// How much of the heap is in use, where it can be told, which is not here.
    enum HeapUse {
        static func bytes() -> Double? { nil }
    }
#endif
