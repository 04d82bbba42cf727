import AuthStreams
import Foundation

/// The transport of one process over the simulated network.
final class NetworkLine: AuthHTTPTransport {
    private let process: AppProcess

    init(_ process: AppProcess) {
        self.process = process
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        process.world.ledger.carries(request)
        let exchange = Exchange(request, of: process)
        exchange.begin()
        return try await withTaskCancellationHandler {
            if Task.isCancelled { exchange.end(.failure(.cancelled)) }
            return await exchange.reply.wait()
        } onCancel: {
            exchange.end(.failure(.cancelled))
        }.get()
    }
}
