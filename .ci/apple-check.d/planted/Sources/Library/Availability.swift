import Foundation
import Synchronization

#if canImport(UIKit)
    import UIKit
#endif

// Newer than the oldest systems that the package is for.
let mutex = Mutex(1)  // found: all
let atomic = Atomic<Int>(1)  // found: all
func typed() -> any AsyncSequence<Int, Never> { AsyncStream { nil } }  // found: all
func immediate() { Task.immediate {} }  // found: all
enum Failure: Error { case some }
struct Closures { var known: [() throws(Failure) -> Void] }  // found: all

// A guard that names one system says nothing about the others.
@available(iOS 18, *) let iOSAlone = Mutex(1)  // found: macOS tvOS watchOS

// Not on every system.
func program() -> Any { Process() }  // found: iOS Catalyst tvOS watchOS visionOS
func qualified(_ program: Foundation.Process) {}  // found: iOS Catalyst tvOS watchOS visionOS
let home = FileManager.default.homeDirectoryForCurrentUser  // found: iOS Catalyst tvOS watchOS visionOS

// Not in an extension of an app.
#if os(iOS)
    @MainActor func open() { _ = UIApplication.shared }  // found: iOS Catalyst
#endif

// Not for this package: the manifest forgets Catalyst.
#if os(iOS) && !WITHOUT_CATALYST
    let branch: Int = "of another system"  // found: Catalyst
#endif
