package import Foundation

/// Makes a file in a folder of its own, and removes both afterwards.
///
/// - Parameter name: The name of the file; it need not be made.
/// - Parameter content: The file's bytes; `nil` for no file.
package func withTemporaryFile<Value>(
    named name: String, _ content: Data?, _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "AuthStreams-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: name)
    try content?.write(to: url)
    return try await body(url)
}

/// The bytes of a property list with these values.
package func propertyList(
    _ values: [String: Any], in format: PropertyListSerialization.PropertyListFormat = .xml
) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
}
