import Foundation

/// How much of the machine's memory the process holds.
enum ResidentSize {
    /// In bytes; `nil` where the system does not say it in `/proc/self/statm`: the second number, in pages (proc(5)).
    static func bytes() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Double(numbers[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
