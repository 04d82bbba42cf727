package import AuthStreams
import Foundation

extension SessionStore {
    /// The session that the store holds.
    package func session() async throws -> KeptSession? {
        guard let data = try await read(.session).data else { return nil }
        return try JSONDecoder().decode(SessionRecord.self, from: data).session
    }
}
