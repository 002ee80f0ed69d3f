import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** A software authenticator that creates passkeys and answers challenges in the JSON format of a browser. */

interface Passkey {
  readonly id: string
  readonly privateKey: KeyObject
  counter: number
  /** The account's user handle, in base64url. */
  userHandle: string
}

interface Asked {
  readonly challenge: string
  readonly origin: string
}

export interface Faults {
  /** The authenticator checks neither a fingerprint nor a PIN. */
  readonly unverified?: true
  readonly rpId?: string
  readonly signedBy?: KeyObject
  /** A user handle that differs from the handle of the credential. Null if the authenticator names no account. */
  readonly userHandle?: string | null
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

const clientData = (type: string, { challenge, origin }: Asked) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false })

function authenticatorData({ origin }: Asked, faults: Faults, counter: number, credential?: Uint8Array): Buffer {
  const flags = userPresent | (faults.unverified ? 0 : userVerified) | (credential ? hasCredential : 0)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  const rpId = faults.rpId ?? new URL(origin).hostname
  return Buffer.concat([sha256(rpId), head, credential ?? Buffer.alloc(0)])
}

/** `counter` is 0 for an authenticator that does not count. */
export function createPasskey(
  asked: Asked,
  faults: Faults = {},
  counter = 0,
): { passkey: Passkey; credential: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  // The public key in COSE format (RFC 9053): EC2, ES256, P-256, x and y.
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ] as const),
    ]),
  )
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const attested = Buffer.concat([Buffer.alloc(16), length, id, key])
  const authData = new Uint8Array(authenticatorData(asked, faults, counter, attested))
  const attestation = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  )
  const response = {
    clientDataJSON: base64url(clientData('webauthn.create', asked)),
    attestationObject: base64url(attestation),
    transports: ['internal'],
  }
  return {
    passkey: { id: base64url(id), privateKey, counter, userHandle: '' },
    credential: answer(base64url(id), response),
  }
}

export function answerWith(passkey: Passkey, asked: Asked, faults: Faults = {}): string {
  if (passkey.counter > 0) passkey.counter++
  const authData = authenticatorData(asked, faults, passkey.counter)
  const client = clientData('webauthn.get', asked)
  const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), faults.signedBy ?? passkey.privateKey)
  return answer(passkey.id, {
    clientDataJSON: base64url(client),
    authenticatorData: base64url(authData),
    signature: base64url(signature),
    ...(faults.userHandle !== null && { userHandle: faults.userHandle ?? passkey.userHandle }),
  })
}

const answer = (id: string, response: object): string =>
  JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
