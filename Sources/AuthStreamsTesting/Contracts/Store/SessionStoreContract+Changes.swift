import AuthStreams
import Foundation

extension SessionStoreContract {
    /// Changes of others are reported.
    static let changes = [
        check("a write of any owner is reported to every reader") { place, findings in
            let other = try await place.otherOwner.required()()
            for (writer, words) in [(other, "the other"), (place.store, "the one")] {
                let streams = [place.store, place.store, other].map { $0.changes(of: .session) }
                try await writer.write(Data(words.utf8), for: .session)
                for (number, stream) in streams.enumerated() {
                    findings.stage("waiting in reader \(number + 1) for a change that \(words) owner made")
                    await expectChange(in: stream, findings)
                }
            }
        },
        check("a removal by another owner is reported") { place, findings in
            let other = try await place.otherOwner.required()()
            try await place.store.write(Data("kept".utf8), for: .session)
            let stream = place.store.changes(of: .session)
            try await other.remove(.session)
            findings.stage("waiting for a removal to be told")
            await expectChange(in: stream, findings)
        },
    ]

    private static func expectChange(in stream: AsyncStream<Void>, _ findings: ContractFindings) async {
        for await _ in stream { return }
        findings.add("a change to be told", saw: "the stream was over")
    }
}
