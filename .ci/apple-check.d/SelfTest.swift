import Foundation

/// A package of planted faults, each marked where it stands: `// found: all`, or `// found: iOS tvOS`.
struct SelfTest {
    let package: URL
    let standIns: URL

    func problems() async throws -> [String] {
        struct Place: Hashable { let file: String, line: Int, platform: String }
        let report = try await Check(package: package, standIns: standIns).report()
        let found = Set(report.findings.map { Place(file: $0.file, line: $0.line, platform: $0.platform) })
        var planted: Set<Place> = []
        let files =
            FileManager.default.enumerator(at: package, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        for file in files where file.pathExtension == "swift" {
            let name = String(file.path.dropFirst(package.path.count + 1))
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() {
                guard let mark = line.firstRange(of: "// found: ") else { continue }
                let names = line[mark.upperBound...].split(separator: " ").map(String.init)
                for platform in names == ["all"] ? Platform.all.map(\.name) : names {
                    planted.insert(Place(file: name, line: index + 1, platform: platform))
                }
            }
        }
        guard !planted.isEmpty else { return ["no fault is planted in \(package.path)"] }
        let missed = planted.subtracting(found).map { "missed on \($0.platform): \($0.file):\($0.line)" }
        let wrong = report.findings
            .filter { !planted.contains(Place(file: $0.file, line: $0.line, platform: $0.platform)) }
            .map { "wrongly found on \($0.platform): \($0.file):\($0.line): \($0.text)" }
        return (missed + wrong).sorted()
    }
}
