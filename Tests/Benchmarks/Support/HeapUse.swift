import Foundation

/// How much of the heap is in use.
enum HeapUse {
    /// Returns the bytes in blocks that were allocated and not freed, in all arenas.
    ///
    /// `malloc_info` reports what `mallinfo2` returns, and Swift's `Glibc` module declares neither of them.
    ///
    /// - Throws: ``Unavailable`` without the GNU C library.
    static func bytes() throws(Unavailable) -> Double {
        #if canImport(Glibc)
            typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
            var text: UnsafeMutablePointer<CChar>?
            var size = 0
            if let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &size) {
                _ = unsafeBitCast(symbol, to: Function.self)(0, stream)
                fclose(stream)
                defer { free(text) }
                if let text, let bytes = bytes(in: String(cString: text)) { return bytes }
            }
        #endif
        throw Unavailable(description: "The heap's size needs malloc_info of the GNU C library.")
    }

    /// Reads the totals, which follow those of the single arenas: what the system gave, less what of it is free.
    static func bytes(in report: String) -> Double? {
        var sizes: [Substring: Double] = [:]
        for line in report.matches(of: #/type="(fast|rest|mmap|current)".* size="(\d+)"/#) {
            sizes[line.1] = Double(line.2)
        }
        guard let system = sizes["current"], let mapped = sizes["mmap"], let fast = sizes["fast"],
            let rest = sizes["rest"]
        else { return nil }
        return system + mapped - fast - rest
    }
}
