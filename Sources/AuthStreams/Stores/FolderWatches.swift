#if !AUTH_DARWIN
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The folders to watch for a change of a record: its own, for the record, and those above, for the creation and
    /// removal of its own.
    struct FolderWatches {
        /// Adds a watch for the mask on a folder. Returns the watch, or the negative error number.
        typealias Adding = @Sendable (_ inotify: Int32, _ path: String, _ mask: UInt32) -> Int32

        /// How many of the folders are watched.
        enum Coverage {
            case nothing
            /// The system has no more watches at present.
            case lacking
            case whole
        }

        /// What an event means for the record.
        enum Meaning {
            case nothing
            /// It may have changed.
            case record
            /// Its folder was created, removed or moved; all watches must be renewed.
            case folder
        }

        /// One folder on the path, which may not exist.
        private struct Step: Equatable {
            let path: String
            /// The name of the next one; `nil` for the record's own folder.
            let next: String?
            var watch: Int32?
        }
        private let inotify: Int32
        private let add: Adding
        /// From the record's own folder up to the root.
        private var steps: [Step]

        init(inotify: Int32, folder: String, add: @escaping Adding) {
            self.inotify = inotify
            self.add = add
            steps = [Step(path: folder, next: nil)]
            var path = folder
            while path != "/", !path.isEmpty {
                let name = (path as NSString).lastPathComponent
                path = (path as NSString).deletingLastPathComponent
                steps.append(Step(path: path, next: name))
            }
        }

        /// Watches the existing folders.
        mutating func renew() -> Coverage {
            var isLacking = false
            let old = Set(steps.compactMap(\.watch))
            // A folder may be created or removed while another is being watched. If two rounds find the same ones, then
            // folders that were missing in the second have been watched for since the first. (The system has one watch
            // per folder, even if it is added several times.)
            for _ in 0..<100 {
                let before = steps
                isLacking = watchAll()
                if steps == before { break }
            }
            let present = Set(steps.compactMap(\.watch))
            for watch in old.subtracting(present) { inotify_rm_watch(inotify, watch) }
            if isLacking { return .lacking }
            return present.isEmpty ? .nothing : .whole
        }

        /// - Returns: Whether an existing folder is not watched because the system lacks resources.
        private mutating func watchAll() -> Bool {
            var (found, isLacking) = (0, false)
            for index in steps.indices {
                // Names are watched in the innermost existing folder and in the one above it, because the system
                // reports the removal of a folder late while a process has it open. Changes further up are mostly
                // unrelated. Through links one folder may have several paths, but it has one watch, with the mask that
                // was added last.
                let isOneFurtherDown = steps[..<index].contains { $0.watch != nil && $0.watch == steps[index].watch }
                let watch = add(inotify, steps[index].path, Self.mask(namesAlso: found < 2 || isOneFurtherDown))
                // An existing folder without permission to read is not waited for.
                if watch >= 0 || -watch == EACCES { found += 1 }
                if watch < 0, ![EACCES, ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(-watch) { isLacking = true }
                steps[index].watch = watch < 0 ? nil : watch
            }
            return isLacking
        }

        private static func mask(namesAlso: Bool) -> UInt32 {
            let itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
            let names = IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            return UInt32(bitPattern: namesAlso ? itself | names : itself)
        }

        func meaning(of event: InotifyEvent, record: String) -> Meaning {
            // Events were lost: any change is possible.
            if event.isOne(of: IN_Q_OVERFLOW) { return .folder }
            let meant = steps.filter { $0.watch == event.watch }
            guard !meant.isEmpty else { return .nothing }
            if event.isOne(of: IN_DELETE_SELF, IN_MOVE_SELF, IN_IGNORED, IN_UNMOUNT) { return .folder }
            if meant.contains(where: { $0.next == event.name }) { return .folder }
            let isVersion = event.name == record || event.name.hasPrefix("\(record)@")
            return isVersion && meant.contains(where: { $0.next == nil }) ? .record : .nothing
        }
    }

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
