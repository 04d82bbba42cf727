import Foundation

/// A file of the package, for tests that compare the code with what is said about it.
package func sourceFile(_ path: String, from test: String = #filePath) throws -> String {
    try String(contentsOfFile: "\(packageRoot(of: test))/\(path)", encoding: .utf8)
}

/// Every Swift file below a folder of the package, by path.
package func sourceFiles(below folder: String, from test: String = #filePath) throws -> [String: String] {
    let root = "\(packageRoot(of: test))/\(folder)"
    let paths = (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap { $0 as? String }
    let files = try paths.filter { $0.hasSuffix(".swift") }
        .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)) }
    return Dictionary(files) { first, _ in first }
}

private func packageRoot(of test: String) -> Substring {
    test.range(of: "/Tests/", options: .backwards).map { test[..<$0.lowerBound] } ?? ""
}
