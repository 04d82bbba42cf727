package import Foundation

/// The emulator's signing keys.
///
/// They are public test keys, made for this file: any reader of the source can sign with them. Only an emulator may
/// trust them.
package enum DevelopmentKeys {
    /// RSA, 2048 bits, PKCS #8 in Base64. Signs the tokens of every emulated issuer, under a `kid` of its own for each.
    package static let rsaPrivateKey = """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCLRxGNurun5c+twrMwyQAeriLoNceL3sqG9cuDoUi9AThpSI8Gci2c9Uwa5aHt
        c0GvMQfl+BklR1PIHnorX4+eda9tjYVrzivs3Fy5L1y8ndoSRBpulDAtfG9rHb1WKtj1HEhTUw0NlI3KLk/4ZCKxqEKc6uniFxfq0MiAyr0K89Y+
        +4JLfQSlh4GOaqsg0J1xUKNej+4uLcLzJeb4r0gKHr+lFyJBd97PrnOB3b70qt8L8uk81IBzRpI0PRrpSOPs00yzX+g/ZW53G+mHeyh8k6pM9vYI
        +jTBTwYG/rNyMvyWhVZ65O9nurTwIvUMR2sZiFcMFMRvrqxOM4URVO33AgMBAAECggEAFGpd9db9494JY7CLAKct99FRt5UOg3+sUz0bUFenaGER
        6kjjAjBhZEUGm1i2tC41Xh9DR5/m27KJYueow8vVqwYYKWhZutQ1Vxp0EwcQwmsnCI9oCnZ5W2mGkX6B/uv38nHrXh9p5eg1IoJIYaIX/c+quAKt
        NuFotZhWE57kOAMPsNkji/Ha4FKQH9c7QqM7eVEPcDPS0atoJ7jwQ1o57EC++NXXR8kCcjzTfNf80EI4AUb6iVvO9IqdpkMQJLrZHNf2UvWwjBYQ
        Bpzfptouw/ZkA9V0DEf9WN3cwsJ7ul5r6ZVuvLF8YEktgh4rESP4yVczzxpWW3gQjLbjnZe6LQKBgQDBOQZRbj5/U+7hEhv2ZGPPW9RM03+v8gp1
        nSS+ukevIq0KSaacob1dZi2rVJUG5ZRbjjIWpAPfsHi54WHtoCZyBFphaYlplehSuaWgXKVfhHOwIeSbPLA8mES/5uBh245NRzvKK4mSGrw7sbl0
        oZMPTjycSVH/rZk2nOK9ytWWHQKBgQC4hz+ERa7L04XvLnh9BGqd6kz6BohqHK++uO9eoDf+2VRISD6DQx3pe1LfqcKsFk8RfQ+Pm0wiz2uZivIj
        H++d7S/pJTIV/gPk5H3cPCyoCn62s4bdmLWjxJiMKwmxaFLyK8TQ6dwTUSLvNZmcXO0YbnBhd2huSdxTGGTgQkqIIwKBgAz1MQpG9WP+kfeACmYE
        p3jhdKROTrLS7YajqjIsNeB119rnw4efhR59WrSxsGjM/p0BNTS1fRkEMaRti+6uncVpq1H7DN8K0ZCyqHvPmruEG2oFa9pJQJxfrcSczBFj8vAV
        xdmx/8DPkC4EpiY/K6iMG55zgE9AKhUygjYuIxK1AoGBAIijHVVEg/pJ1pMVRgLMkmX8aKN60ug/9aK0LgtTeCMtqksbs65etHd+6g7UFWJ34nSA
        tlUQGYBtNq+rQ0DfFP9L8n4hHMVMInYK+2do52hG3S1MIkFUIqvxl0OzWqoTJdhMsKBBisSC/+tBNU2jQa0lmfGSCbIg3xRoq8mjTK0hAoGAIw6Y
        zTCipplfILs36k0Xgnm3cp9ceajQdc7UHIh4ANaaS5ORb3k20rphwzcMSNp/aUz1mU7GGJfrtQUoKRxOIdogJqcj791GcLO0hkU5qaHJcRHDozAf
        oWsijkWyicmJDpKq/IL45oq00dPgMmnlvVwYx0dxVgKGkNzAFtd4gkE=
        """

    /// The same key's public modulus, as a JWK has it (RFC 7518 section 6.3.1).
    package static let rsaModulus = """
        i0cRjbq7p-XPrcKzMMkAHq4i6DXHi97KhvXLg6FIvQE4aUiPBnItnPVMGuWh7XNBrzEH5fgZJUdTyB56K1-PnnWvbY2Fa84r7Nxc\
        uS9cvJ3aEkQabpQwLXxvax29VirY9RxIU1MNDZSNyi5P-GQisahCnOrp4hcX6tDIgMq9CvPWPvuCS30EpYeBjmqrINCdcVCjXo_u\
        Li3C8yXm-K9ICh6_pRciQXfez65zgd2-9KrfC_LpPNSAc0aSND0a6Ujj7NNMs1_oP2Vudxvph3sofJOqTPb2CPo0wU8GBv6zcjL8\
        loVWeuTvZ7q08CL1DEdrGYhXDBTEb66sTjOFEVTt9w
        """

    /// A certificate of that key, signed with itself, for libraries that read keys from certificates. It is valid until 2099.
    package static let rsaCertificate = """
        -----BEGIN CERTIFICATE-----
        MIICyzCCAbOgAwIBAgIBATANBgkqhkiG9w0BAQsFADAfMR0wGwYDVQQDDBRBdXRo
        U3RyZWFtcyBlbXVsYXRvcjAgFw0yMDAxMDEwMDAwMDBaGA8yMDk5MTIzMTIzNTk1
        OVowHzEdMBsGA1UEAwwUQXV0aFN0cmVhbXMgZW11bGF0b3IwggEiMA0GCSqGSIb3
        DQEBAQUAA4IBDwAwggEKAoIBAQCLRxGNurun5c+twrMwyQAeriLoNceL3sqG9cuD
        oUi9AThpSI8Gci2c9Uwa5aHtc0GvMQfl+BklR1PIHnorX4+eda9tjYVrzivs3Fy5
        L1y8ndoSRBpulDAtfG9rHb1WKtj1HEhTUw0NlI3KLk/4ZCKxqEKc6uniFxfq0MiA
        yr0K89Y++4JLfQSlh4GOaqsg0J1xUKNej+4uLcLzJeb4r0gKHr+lFyJBd97PrnOB
        3b70qt8L8uk81IBzRpI0PRrpSOPs00yzX+g/ZW53G+mHeyh8k6pM9vYI+jTBTwYG
        /rNyMvyWhVZ65O9nurTwIvUMR2sZiFcMFMRvrqxOM4URVO33AgMBAAGjEDAOMAwG
        A1UdEwEB/wQCMAAwDQYJKoZIhvcNAQELBQADggEBAIRnqXv1uTE40P9PBGh4O+CW
        nfPh+LRBqYy6rjgcYYLb7KdJ0b0yhpDpkxatJzVX6ki3805OMB4mVhejSoLB3RVP
        6b/ksAUxQpE3DPGMnHnLuDee1TnicNNiCqn+XtObqE2/10g/jxg2jthqNOZ86NZc
        OERNC3PUP47n0ZM/VCj4Eo3P6+13sOp/DDt523qE11KvoDnbs5Cnv9IQPRxVFHJs
        egleVzwwagwjC2/LSgGKqb9fIiHSiv30sYWZM9TRKyyqPmdbU25f8X5gnOWaKXt5
        vvv0IF9I7tdKOgI48ZpDju8BpiOqHOkYRXLxhTdf4absfsF7lTzuI6oxhXlObFY=
        -----END CERTIFICATE-----

        """

    /// A second key of that kind, which an issuer that rotates its keys signs with next.
    package static let secondRSAPrivateKey = """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCbv7wzHggh7EcXjVG+CUPXuQJH05ANmVeUHV3mx2lsZt2Wit3eCrhFGbA8/mpX
        QMuir0tMRjWky/fhSGAMU5Hu+fa0uPijcVNdmxlteHLT/z7yBJPLMjzAlVtWU/wQD3Jspnw/gRXdGhKb3LO3j7ayx7GZYbd/Mdhju/yM9R2npcad
        02QVvcZQyGi2LTPm+Icj+CsseOL+bgL7iQ03y+ZHHvUHu9q/9WJ1QuT3xVZ8S9EQt7lEKhLNGGXnJvJyXqUxqRUQMsuMBMWgDiupGIwvI0CKA+tU
        DvxbPdh3z62WtZJ1EV8Uoa9QfHuOAspRpl5bKRP6crE1f4ZiBObU7YfhAgMBAAECggEAAZ6+rLTgaMej1/W7ORZDA4rfaXxt5OQImApmKV6tFOsD
        3VkFlvEf49yxHcOXuwQMY11nbxxAbOJraj43D0Uxjtkb70i/ke8Y/S+0+kqJUGM5CGW7yrC8zZ0t1FUzUFCY0dLLzci7rX0azHMcaS4eF9Oz8mCA
        H5IEl+4i9BtEDWrwbr++UNu3pavMFpc1ouHTPhCoGCcZvqS1EmbFgIWbJ3qruY8qE1dSVr6IuRby+9VHZToo8UbDpMW4Xe2iPWnlV9LU33pkQmjI
        n7fZfdUMvAN0AfK3hDEvnpzM3ZobMO4J0ItO+rpyojSPY9SzJVXzRx19iUsG3qvhr6Y7OgZGsQKBgQDbxNBNqbXVIg9P3V8mKaKsmyuLe4nskd0d
        jTIB+LCveC3k3j/SAARJq+iCbG7WLDuRMVFosBkp5wI9Ieeo/w6BoalKCjDvX1FbLC7Z2COfpqOyAQW9e9aMJf3yqhOux7L7j1/nJLdpA8a9Yw9y
        ehbDTz1zagshFY+y/vEBlfKRSwKBgQC1bQJ5HqkezAIKAI1g211stUGevlNR04EftCOUasmULKx68GSRJLOGF8cqP+1TtQjQa5VaO1aE3I/UkhGE
        Y8/a0PPxo8nzsVoVEuqq4ZkwzRhVW8Pn3tLLsmjdZB2MXhsYLjr7W1DDli+r/u1KM9mfJxlNwwy7ehot50sJajD8AwKBgG1tOirxbdCJ/QXPPClM
        Yet/99aj1LEuj+K/Az9oDNHSDUgAQdbWm0vzhPor86RAsghBfj+aL21l0P+PekHzfc2eKSTsniESXPgAr/NYY6SC3M8tIyaOGu39nMzPUq2cUcpg
        QWheJ9TqRHLYeECP+fWV5wsoqhH3Im4F8wrPFtCxAoGAIyQINJmhvFtbkcBlofsbb3D0UuEellzXR+LGeXrtrIuypOVnNU3cj/6PDznuqCYKnQQZ
        m66epYFrQotAZVpH6mRKu+UzusYBYs+VMKAd4fv32KC7o2/feKEH+snnh0a7DMX3mrQnQpsWhMQOBi9g2ZjjJ9K95ppR8843FI3DCy0CgYEAlu9H
        OUdoJHo7obycHqIY0SzclbkvK4z/fnI/NcBs8ux5/8SyJUJg6Gjw7BbshRBeB4cN+RaJc+yegHs6BTRs9cwlOTZRkLMRM04GYVIEAvKGu504njZp
        qWRPc+Y3orMsSnhIz0lN/8Dpuxb6gMpLnn5UOoBnQyzIPaCyXk2hKvs=
        """

    /// The second key's public modulus.
    package static let secondRSAModulus = """
        m7-8Mx4IIexHF41RvglD17kCR9OQDZlXlB1d5sdpbGbdlord3gq4RRmwPP5qV0DLoq9LTEY1pMv34UhgDFOR7vn2tLj4o3FTXZsZbXhy0_8-8g\
        STyzI8wJVbVlP8EA9ybKZ8P4EV3RoSm9yzt4-2ssexmWG3fzHYY7v8jPUdp6XGndNkFb3GUMhoti0z5viHI_grLHji_m4C-4kNN8vmRx71B7va\
        v_VidULk98VWfEvRELe5RCoSzRhl5ybycl6lMakVEDLLjATFoA4rqRiMLyNAigPrVA78Wz3Yd8-tlrWSdRFfFKGvUHx7jgLKUaZeWykT-nKxNX\
        -GYgTm1O2H4Q
        """

    /// The public exponent of both: 65537.
    package static let rsaExponent = "AQAB"

    /// P-256, PKCS #8 in Base64. Signs Apple client secrets, as the key that Apple gives a developer does.
    package static let ellipticPrivateKey = """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6hwdFqBh+L7k8njpAc2cUokw5m2n86ecHPzEMRJroNKhRANCAAS2ddW9aT7EEkoh
        5JEjVfcd6/GwXWp8mTRGB0A5MVDuIghdRbitI8eqYCWZariJ+cPikCNPUqYxrWAzr6i3VPPQ
        """

    /// The same key's public coordinates, as a JWK has them (RFC 7518 section 6.2.1).
    package static let ellipticX = "tnXVvWk-xBJKIeSRI1X3HevxsF1qfJk0RgdAOTFQ7iI"
    package static let ellipticY = "CF1FuK0jx6pgJZlquIn5w-KQI09SpjGtYDOvqLdU89A"

    /// Returns the bytes of one of the keys above.
    package static func bytes(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
