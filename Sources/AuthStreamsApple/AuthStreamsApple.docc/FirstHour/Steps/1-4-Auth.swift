import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

let emulator = URL(string: "http://127.0.0.1:9099")!
