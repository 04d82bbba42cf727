import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

struct NaverAppRequestTests {
    @Test func urlHasTheParametersOfTheAppsSecondVersion() {
        let request = NaverAppRequest(clientID: "cl_1", urlScheme: "myapp", appName: "우리 앱", authType: nil)
        #expect(
            request.url?.absoluteString == """
                naversearchthirdlogin://thirdPartyLogin?version=2&callbackScheme=myapp&extOauthConsumerKey=cl_1\
                &response_type=code&extAppName=%EC%9A%B0%EB%A6%AC%20%EC%95%B1
                """)
    }

    @Test func askingAgainIsAParameter() {
        let request = NaverAppRequest(clientID: "cl_1", urlScheme: "myapp", appName: "App", authType: "reprompt")
        #expect(request.url?.absoluteString.hasSuffix("&extAppName=App&authType=reprompt") == true)
    }
}
