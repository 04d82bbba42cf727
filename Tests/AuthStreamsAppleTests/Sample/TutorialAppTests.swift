import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import FirstHour

/// The app of the tutorial 'From a tap to a home screen', as its last steps leave it, in front of the emulator.
@Suite(.appleDevice) @MainActor struct TutorialAppTests {
    private func host(at emulator: Emulator) -> ViewHost {
        AppleDevice.App.connect()
        return ViewHost(
            FirstHour.ContentView(), auth: .emulated(at: emulator.baseURL, on: .app(store: MemorySessionStore())))
    }

    @Test(arguments: ["Login with Kakao", "Sign in with Google"])
    func personSignsInSeesTheirNameAndSignsOut(button: String) async throws {
        try await withEmulator { emulator in
            let host = host(at: emulator)
            await host.wait { $0.labeled(button).count == 1 }
            #expect(host.root.texts.contains("Welcome"))
            host.tap(button)
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            await host.wait { $0.texts.contains("Sign out") }
            #expect(host.root.texts.first == "김민지")
            host.root.all("Button")[0].tap()
            await host.wait { $0.texts.contains("Welcome back") }
            #expect(host.root.texts.contains("Last used"))
        }
    }

    /// The pictures are of the requests that the app sends.
    @Test func picturesShowTheRequestsOfTheApp() async throws {
        try await withEmulator { emulator in
            let host = host(at: emulator)
            await host.wait { $0.labeled("Login with Kakao").count == 1 }
            host.tap("Login with Kakao")
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            await host.wait { $0.texts.contains("Sign out") }
            let script = try sourceFile(".ci/tutorial-pictures")
            let listed = try #require(script.firstMatch(of: /requests_of_the_app = \[([^\]]+)\]/)?.output.1)
            let expected = listed.matches(of: /"([^"]+)"/).map { String($0.1) }
            #expect(emulator.journal.entries.map { "\($0.method) \($0.host)\($0.path)" } == expected)
        }
    }

    /// What the tutorial says of closing the sheet, of Cancel on the page, and of a fault.
    @Test func personReadsWhatTheTutorialSays() async throws {
        var configuration = EmulatorConfiguration()
        configuration.controlToken = Secret("token")
        try await withEmulator(configuration) { emulator in
            let tutorial = try sourceFile(Self.tutorial)
            let host = host(at: emulator)
            await host.wait { $0.labeled("Login with Kakao").count == 1 }
            let texts = host.root.texts
            host.tap("Login with Kakao")
            await AppleDevice.WebAuthentication.nextSheet().close()
            await host.waitUntilIdle()
            #expect(host.root.texts == texts)

            host.tap("Login with Kakao")
            let sheet = await AppleDevice.WebAuthentication.nextSheet()
            sheet.redirect(to: try await answer(to: sheet.url, .deny))
            await host.wait { $0.texts.contains("Kakao sign-in failed. Access was not allowed.") }

            try await add(try sourceFile("\(Self.catalogue)/Resources/3-6-fault.sh"), to: emulator)
            host.tap("Login with Kakao")
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            await host.wait { $0.texts.contains("Kakao sign-in failed. The server has a problem.") }
            for message in host.root.texts where message.contains("failed") { #expect(tutorial.contains(message)) }
            #expect(!host.root.texts.contains("Kakao sign-in failed. Access was not allowed."))

            // The fault was for one request.
            host.tap("Login with Kakao")
            try await PhonePerson(base: emulator.baseURL).agreeInTheSheet()
            await host.wait { $0.texts.contains("Sign out") }
        }
    }

    /// Does what the command of the tutorial does.
    private func add(_ command: String, to emulator: Emulator) async throws {
        let body = try #require(command.firstMatch(of: /-d '([^']+)'/)?.output.1)
        let path = try #require(command.firstMatch(of: /http:..127.0.0.1:9099(\S+)/)?.output.1)
        let address = emulator.baseURL.appending(path: path)
        let request = AuthHTTPRequest(
            .post, address, headers: ["Authorization": "Bearer token"], body: Data(body.utf8))
        let status = try await URLSessionTransport.untimed().send(request).status
        #expect((200..<300).contains(status))
    }

    @Test func infoPlistAllowsTheEmulator() throws {
        let text = try sourceFile("\(Self.catalogue)/Resources/1-3-Info.plist")
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        #expect(list?["NSAppTransportSecurity"] as? [String: Bool] == ["NSAllowsLocalNetworking": true])
    }

    @Test func previewShowsWhyASessionEnded() async {
        let host = ViewHost(FirstHour.ContentView(), auth: .preview(.expired))
        await host.wait { $0.texts.contains("Sign in again to continue.") }
        #expect(!host.root.texts.contains("Sign out"))
    }

    /// The package compiles the last state of each file of the app and of its tests, but the app's entry point, which would be a
    /// second one beside that of the tests.
    @Test func packageCompilesTheLastSteps() throws {
        let steps = try sourceFile(Self.tutorial).matches(of: /@Code\(name: "(\w+)\.swift", file: "([^"]+)"/)
        let last = Dictionary(steps.map { (String($0.1), String($0.2)) }) { $1 }.filter { $0.key != "FirstHourApp" }
        let compiled = try ["App", "Tests"].flatMap { try sourceFiles(below: "\(Self.catalogue)/FirstHour/\($0)").keys }
        #expect(compiled.compactMap { $0.split(separator: "/").last.map(String.init) }.sorted() == last.values.sorted())
        #expect(compiled.count == 6)
    }

    private static let catalogue = "Sources/AuthStreamsApple/AuthStreamsApple.docc"
    private static let tutorial = "\(catalogue)/FromATapToAHomeScreen.tutorial"
}
