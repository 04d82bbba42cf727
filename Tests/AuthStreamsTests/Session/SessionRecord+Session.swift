import Foundation

@testable import AuthStreams

extension SessionRecord {
    /// The session of a record that holds one.
    static func session(in data: Data) throws -> Session? {
        if case .established(let session) = try kept(in: data) { session } else { nil }
    }
}
