#if !AUTH_DARWIN
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The folders to watch for a record to change: its own, so that the record is seen, and those above it, so that its
    /// own is seen to come and go.
    struct FolderWatches {
        /// Watches a folder: what to ask, the folder, and for what. The watch, or the error's number below zero.
        typealias Adding = @Sendable (_ inotify: Int32, _ path: String, _ mask: UInt32) -> Int32

        /// How much of what there is to watch is watched.
        enum Coverage {
            case nothing
            /// The system has no more watches, for now.
            case lacking
            case whole
        }

        /// What an event says about the record.
        enum Meaning {
            case nothing
            /// It may have changed.
            case record
            /// Its folder came, went or moved; everything must be watched anew.
            case folder
        }

        /// One folder on the way, which may be missing.
        private struct Step: Equatable {
            let path: String
            /// What the next one is called; `nil` for the record's own folder.
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

        /// Watches what is there now.
        mutating func renew() -> Coverage {
            var isLacking = false
            let old = Set(steps.compactMap(\.watch))
            // While one folder is being asked for, another may come or go. When two rounds find the same ones, then what
            // was missing in the second is waited for since the first. (The system has one watch per folder, however
            // often it is asked.)
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

        /// - Returns: Whether a folder that is there is not watched for want of something.
        private mutating func watchAll() -> Bool {
            var (found, isLacking) = (0, false)
            for index in steps.indices {
                // Names are watched in the innermost folder that is there, and in the one above it: the system tells late
                // that a folder is gone while somebody has it open. Further up there may be much coming and going that is
                // none of ours. By links one folder may have several paths, but has one watch, for what was asked last.
                let isOneFurtherDown = steps[..<index].contains { $0.watch != nil && $0.watch == steps[index].watch }
                let watch = add(inotify, steps[index].path, Self.mask(namesAlso: found < 2 || isOneFurtherDown))
                // A folder that is there and may not be looked into is not waited for.
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
            // Events were lost: anything may have happened.
            if event.isOne(of: IN_Q_OVERFLOW) { return .folder }
            let meant = steps.filter { $0.watch == event.watch }
            guard !meant.isEmpty else { return .nothing }
            if event.isOne(of: IN_DELETE_SELF, IN_MOVE_SELF, IN_IGNORED, IN_UNMOUNT) { return .folder }
            if meant.contains(where: { $0.next == event.name }) { return .folder }
            let isVersion = event.name == record || event.name.hasPrefix("\(record)@")
            return isVersion && meant.contains(where: { $0.next == nil }) ? .record : .nothing
        }
    }
#endif
