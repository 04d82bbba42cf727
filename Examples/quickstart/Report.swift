import AuthStreamsTesting
import Foundation

/// Tells what happens, as it happens.
protocol Report {
    func begin(at emulator: URL, _ backend: EmulatedDevice.Backend, signsTokens: Bool)
    func add(_ record: AttemptRecord)
    func end(_ summary: Summary)
}
