package import Foundation

/// The emulator's signing keys.
///
/// They are public test keys, made for this file: any reader of the source can sign with them. Only an emulator may
/// trust them.
package enum DevelopmentKeys {
    /// RSA, 2048 bits, PKCS #8 in Base64. Signs the tokens of every emulated issuer, under a `kid` of its own for each.
    package static let rsaPrivateKey = """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCLRxGNurun5c+t
        wrMwyQAeriLoNceL3sqG9cuDoUi9AThpSI8Gci2c9Uwa5aHtc0GvMQfl+BklR1PI
        HnorX4+eda9tjYVrzivs3Fy5L1y8ndoSRBpulDAtfG9rHb1WKtj1HEhTUw0NlI3K
        Lk/4ZCKxqEKc6uniFxfq0MiAyr0K89Y++4JLfQSlh4GOaqsg0J1xUKNej+4uLcLz
        Jeb4r0gKHr+lFyJBd97PrnOB3b70qt8L8uk81IBzRpI0PRrpSOPs00yzX+g/ZW53
        G+mHeyh8k6pM9vYI+jTBTwYG/rNyMvyWhVZ65O9nurTwIvUMR2sZiFcMFMRvrqxO
        M4URVO33AgMBAAECggEAFGpd9db9494JY7CLAKct99FRt5UOg3+sUz0bUFenaGER
        6kjjAjBhZEUGm1i2tC41Xh9DR5/m27KJYueow8vVqwYYKWhZutQ1Vxp0EwcQwmsn
        CI9oCnZ5W2mGkX6B/uv38nHrXh9p5eg1IoJIYaIX/c+quAKtNuFotZhWE57kOAMP
        sNkji/Ha4FKQH9c7QqM7eVEPcDPS0atoJ7jwQ1o57EC++NXXR8kCcjzTfNf80EI4
        AUb6iVvO9IqdpkMQJLrZHNf2UvWwjBYQBpzfptouw/ZkA9V0DEf9WN3cwsJ7ul5r
        6ZVuvLF8YEktgh4rESP4yVczzxpWW3gQjLbjnZe6LQKBgQDBOQZRbj5/U+7hEhv2
        ZGPPW9RM03+v8gp1nSS+ukevIq0KSaacob1dZi2rVJUG5ZRbjjIWpAPfsHi54WHt
        oCZyBFphaYlplehSuaWgXKVfhHOwIeSbPLA8mES/5uBh245NRzvKK4mSGrw7sbl0
        oZMPTjycSVH/rZk2nOK9ytWWHQKBgQC4hz+ERa7L04XvLnh9BGqd6kz6BohqHK++
        uO9eoDf+2VRISD6DQx3pe1LfqcKsFk8RfQ+Pm0wiz2uZivIjH++d7S/pJTIV/gPk
        5H3cPCyoCn62s4bdmLWjxJiMKwmxaFLyK8TQ6dwTUSLvNZmcXO0YbnBhd2huSdxT
        GGTgQkqIIwKBgAz1MQpG9WP+kfeACmYEp3jhdKROTrLS7YajqjIsNeB119rnw4ef
        hR59WrSxsGjM/p0BNTS1fRkEMaRti+6uncVpq1H7DN8K0ZCyqHvPmruEG2oFa9pJ
        QJxfrcSczBFj8vAVxdmx/8DPkC4EpiY/K6iMG55zgE9AKhUygjYuIxK1AoGBAIij
        HVVEg/pJ1pMVRgLMkmX8aKN60ug/9aK0LgtTeCMtqksbs65etHd+6g7UFWJ34nSA
        tlUQGYBtNq+rQ0DfFP9L8n4hHMVMInYK+2do52hG3S1MIkFUIqvxl0OzWqoTJdhM
        sKBBisSC/+tBNU2jQa0lmfGSCbIg3xRoq8mjTK0hAoGAIw6YzTCipplfILs36k0X
        gnm3cp9ceajQdc7UHIh4ANaaS5ORb3k20rphwzcMSNp/aUz1mU7GGJfrtQUoKRxO
        IdogJqcj791GcLO0hkU5qaHJcRHDozAfoWsijkWyicmJDpKq/IL45oq00dPgMmnl
        vVwYx0dxVgKGkNzAFtd4gkE=
        """

    /// The same key's public modulus, as a JWK has it (RFC 7518 section 6.3.1).
    package static let rsaModulus = """
        i0cRjbq7p-XPrcKzMMkAHq4i6DXHi97KhvXLg6FIvQE4aUiPBnItnPVMGuWh7XNBrzEH5fgZJUdTyB56K1-PnnWvbY2Fa84r7Nxc\
        uS9cvJ3aEkQabpQwLXxvax29VirY9RxIU1MNDZSNyi5P-GQisahCnOrp4hcX6tDIgMq9CvPWPvuCS30EpYeBjmqrINCdcVCjXo_u\
        Li3C8yXm-K9ICh6_pRciQXfez65zgd2-9KrfC_LpPNSAc0aSND0a6Ujj7NNMs1_oP2Vudxvph3sofJOqTPb2CPo0wU8GBv6zcjL8\
        loVWeuTvZ7q08CL1DEdrGYhXDBTEb66sTjOFEVTt9w
        """

    /// A second key of that kind, which an issuer that rotates its keys signs with next.
    package static let secondRSAPrivateKey = """
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCbv7wzHggh7EcX
        jVG+CUPXuQJH05ANmVeUHV3mx2lsZt2Wit3eCrhFGbA8/mpXQMuir0tMRjWky/fh
        SGAMU5Hu+fa0uPijcVNdmxlteHLT/z7yBJPLMjzAlVtWU/wQD3Jspnw/gRXdGhKb
        3LO3j7ayx7GZYbd/Mdhju/yM9R2npcad02QVvcZQyGi2LTPm+Icj+CsseOL+bgL7
        iQ03y+ZHHvUHu9q/9WJ1QuT3xVZ8S9EQt7lEKhLNGGXnJvJyXqUxqRUQMsuMBMWg
        DiupGIwvI0CKA+tUDvxbPdh3z62WtZJ1EV8Uoa9QfHuOAspRpl5bKRP6crE1f4Zi
        BObU7YfhAgMBAAECggEAAZ6+rLTgaMej1/W7ORZDA4rfaXxt5OQImApmKV6tFOsD
        3VkFlvEf49yxHcOXuwQMY11nbxxAbOJraj43D0Uxjtkb70i/ke8Y/S+0+kqJUGM5
        CGW7yrC8zZ0t1FUzUFCY0dLLzci7rX0azHMcaS4eF9Oz8mCAH5IEl+4i9BtEDWrw
        br++UNu3pavMFpc1ouHTPhCoGCcZvqS1EmbFgIWbJ3qruY8qE1dSVr6IuRby+9VH
        ZToo8UbDpMW4Xe2iPWnlV9LU33pkQmjIn7fZfdUMvAN0AfK3hDEvnpzM3ZobMO4J
        0ItO+rpyojSPY9SzJVXzRx19iUsG3qvhr6Y7OgZGsQKBgQDbxNBNqbXVIg9P3V8m
        KaKsmyuLe4nskd0djTIB+LCveC3k3j/SAARJq+iCbG7WLDuRMVFosBkp5wI9Ieeo
        /w6BoalKCjDvX1FbLC7Z2COfpqOyAQW9e9aMJf3yqhOux7L7j1/nJLdpA8a9Yw9y
        ehbDTz1zagshFY+y/vEBlfKRSwKBgQC1bQJ5HqkezAIKAI1g211stUGevlNR04Ef
        tCOUasmULKx68GSRJLOGF8cqP+1TtQjQa5VaO1aE3I/UkhGEY8/a0PPxo8nzsVoV
        Euqq4ZkwzRhVW8Pn3tLLsmjdZB2MXhsYLjr7W1DDli+r/u1KM9mfJxlNwwy7ehot
        50sJajD8AwKBgG1tOirxbdCJ/QXPPClMYet/99aj1LEuj+K/Az9oDNHSDUgAQdbW
        m0vzhPor86RAsghBfj+aL21l0P+PekHzfc2eKSTsniESXPgAr/NYY6SC3M8tIyaO
        Gu39nMzPUq2cUcpgQWheJ9TqRHLYeECP+fWV5wsoqhH3Im4F8wrPFtCxAoGAIyQI
        NJmhvFtbkcBlofsbb3D0UuEellzXR+LGeXrtrIuypOVnNU3cj/6PDznuqCYKnQQZ
        m66epYFrQotAZVpH6mRKu+UzusYBYs+VMKAd4fv32KC7o2/feKEH+snnh0a7DMX3
        mrQnQpsWhMQOBi9g2ZjjJ9K95ppR8843FI3DCy0CgYEAlu9HOUdoJHo7obycHqIY
        0SzclbkvK4z/fnI/NcBs8ux5/8SyJUJg6Gjw7BbshRBeB4cN+RaJc+yegHs6BTRs
        9cwlOTZRkLMRM04GYVIEAvKGu504njZpqWRPc+Y3orMsSnhIz0lN/8Dpuxb6gMpL
        nn5UOoBnQyzIPaCyXk2hKvs=
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
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6hwdFqBh+L7k8njp
        Ac2cUokw5m2n86ecHPzEMRJroNKhRANCAAS2ddW9aT7EEkoh5JEjVfcd6/GwXWp8
        mTRGB0A5MVDuIghdRbitI8eqYCWZariJ+cPikCNPUqYxrWAzr6i3VPPQ
        """

    /// The same key's public coordinates, as a JWK has them (RFC 7518 section 6.2.1).
    package static let ellipticX = "tnXVvWk-xBJKIeSRI1X3HevxsF1qfJk0RgdAOTFQ7iI"
    package static let ellipticY = "CF1FuK0jx6pgJZlquIn5w-KQI09SpjGtYDOvqLdU89A"

    /// Returns the bytes of one of the keys above.
    package static func bytes(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
