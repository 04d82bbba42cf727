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

    /// The same key's public exponent: 65537.
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
