#if os(macOS) || os(Linux)
    import Foundation

    /// What processes noted in their common log, in the order in which it happened.
    struct ProcessDiary {
        struct Line: Equatable {
            let process: Int32
            let words: [Substring]

            init?(_ line: Substring) {
                let parts = line.split(separator: " ")
                guard parts.count > 1, let process = Int32(parts[0]) else { return nil }
                (self.process, words) = (process, Array(parts.dropFirst()))
            }

            /// What follows the verb, if it is this one.
            func after(_ verb: String) -> String? {
                words.count > 1 && words[0] == verb ? words.dropFirst().joined(separator: " ") : nil
            }
        }
        private let file: URL

        init(at file: URL) {
            self.file = file
        }

        var lines: [Line] {
            let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
            return text.split(separator: "\n").compactMap(Line.init)
        }
    }

    extension [ProcessDiary.Line] {
        /// What follows a verb, each time.
        func all(_ verb: String) -> [String] { compactMap { $0.after(verb) } }
    }
#endif
