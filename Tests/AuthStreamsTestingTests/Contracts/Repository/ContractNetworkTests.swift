import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// What tells the requests of a call apart.
@Suite struct ContractNetworkTests {
    @Test(arguments: [
        (ContractNetwork.Fault.answer(.init(status: 200)), 3), (.answer(.init(status: 204)), 3),
        (.answer(.init(status: 401)), 2), (.answer(.init(status: 503)), 2), (.failure(.network), 2),
    ])
    func questionAfterAChangeIsAnotherOneIfTheServerMadeTheChange(answer: ContractNetwork.Fault, count: Int) async {
        let network = ContractNetwork(.cannot("The test answers."))
        network.begin(answer)
        let url = URL(literal: "https://api.example.com/user")
        for method in [AuthHTTPRequest.Method.get, .put, .get] {
            _ = try? await network.send(AuthHTTPRequest(method, url))
        }
        #expect(Set(network.identities).count == count && network.sent.count == 3)
    }
}
