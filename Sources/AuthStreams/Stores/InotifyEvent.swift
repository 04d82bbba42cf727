#if !AUTH_DARWIN
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// One event of inotify(7).
    struct InotifyEvent {
        /// The watch that it belongs to.
        let watch: Int32
        let mask: UInt32
        /// The name of the affected entry of a watched folder; empty if it is the folder itself.
        let name: String

        func isOne(of masks: Int32...) -> Bool { masks.contains { mask & UInt32(bitPattern: $0) != 0 } }

        /// Passes on all pending events in order.
        static func readAll(from inotify: Int32, _ take: (InotifyEvent) -> Void) {
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = uninterrupted { read(inotify, &buffer, buffer.count) }
                guard count > 0 else { return }
                var rest = buffer[..<count]
                while let event = takeFirst(of: &rest) { take(event) }
            }
        }

        private static func takeFirst(of bytes: inout ArraySlice<UInt8>) -> InotifyEvent? {
            let size = MemoryLayout<inotify_event>.size
            guard bytes.count >= size else { return nil }
            let head = bytes.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            // The name is padded with zeros to `len` bytes.
            let name = bytes.dropFirst(size).prefix(Int(head.len)).prefix { $0 != 0 }
            bytes = bytes.dropFirst(size + Int(head.len))
            return InotifyEvent(watch: head.wd, mask: head.mask, name: String(decoding: name, as: UTF8.self))
        }
    }
#endif
