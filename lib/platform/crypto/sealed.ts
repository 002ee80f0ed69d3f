import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { LinkKind } from '../../kernel/hosted-pages.ts'
import { config } from '../config.ts'

/** The keys for one purpose, the current one first. They are derived, so that no two purposes share a key. */
const keysFor = (purpose: string): Buffer[] =>
  [config().secretKey, ...config().secretKeyPrevious].map((secret) => {
    const known = derived.get(secret + purpose)
    const key = known ?? Buffer.from(hkdfSync('sha256', secret, '', `billhook:${purpose}`, 32))
    derived.set(secret + purpose, key)
    return key
  })

const derived = new Map<string, Buffer>()

const ids = new WeakMap<Uint8Array, Buffer>()

function idOf(key: Uint8Array): Buffer {
  const id = ids.get(key) ?? createHash('sha256').update(key).digest().subarray(0, 4)
  ids.set(key, id)
  return id
}

/**
 * Encrypts with AES-256-GCM: key id (4 bytes), nonce (12), tag (16), ciphertext. `place` (table|row|column) is
 * authenticated, so that an encrypted value cannot be moved to another row.
 */
export function seal(plain: string, place: string): Uint8Array<ArrayBuffer> {
  const [key] = keysFor('seal') as [Buffer]
  return sealWith(key, plain, place)
}

/** As `seal`, with the given key of 32 bytes instead of a key derived from SECRET_KEY. */
export function sealWith(key: Uint8Array, plain: string, place: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([idOf(key), nonce, cipher.getAuthTag(), text]))
}

/** Decrypts a value. Throws if it was encrypted for another place, was changed, or its key is not set. */
export function unseal(sealed: Uint8Array, place: string): string {
  const key = keysFor('seal').find((candidate) => isSealedWith(candidate, sealed))
  if (!key) throw new Error(`no key to unseal ${place}: is SECRET_KEY_PREVIOUS set?`)
  return unsealWith(key, sealed, place)
}

export const isOpenable = (sealed: Uint8Array): boolean =>
  keysFor('seal').some((candidate) => isSealedWith(candidate, sealed))

/** As `unseal`; null if the key of the value is not set, for example because it is lost. */
export const unsealIfOpenable = (sealed: Uint8Array, place: string): string | null =>
  isOpenable(sealed) ? unseal(sealed, place) : null

/** Whether a value was encrypted with the current key, so that the previous keys can be removed. */
export const isSealedNow = (sealed: Uint8Array): boolean =>
  keysFor('seal')
    .slice(0, 1)
    .some((key) => isSealedWith(key, sealed))

export const isSealedWith = (key: Uint8Array, sealed: Uint8Array): boolean =>
  idOf(key).equals(Buffer.from(sealed.subarray(0, 4)))

export function unsealWith(key: Uint8Array, sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(4, 16), { authTagLength: 16 })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(16, 32))
  return decipher.update(bytes.subarray(32), undefined, 'utf8') + decipher.final('utf8')
}

/**
 * Keyed hashes to find a text that is only stored encrypted, the hash of the current key first. A new row stores the
 * first hash; a search accepts any. Without a key nobody can test guesses.
 */
export const searchHashes = (text: string): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] =>
  keysFor('search').map((key) => new Uint8Array(createHmac('sha256', key).update(text).digest())) as [
    Uint8Array<ArrayBuffer>,
  ]

/**
 * Keyed hashes of an audit log text, the hash of the current key first. A new entry stores the first hash; a check
 * accepts any. Without a key nobody can write an entry that passes the check.
 */
export const auditMacs = (text: string): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] =>
  keysFor('audit').map((key) => new Uint8Array(createHmac('sha256', key).update(text).digest())) as [
    Uint8Array<ArrayBuffer>,
  ]

const macCharacters = 22

const mac = (key: Buffer, kind: LinkKind, id: string) =>
  createHmac('sha256', key).update(`${kind}:${id}`).digest('base64url').slice(0, macCharacters)

/** The unguessable part of a link: the id without its prefix and 132 bits of HMAC. It is not stored in any table. */
export function linkToken(kind: LinkKind, id: string): string {
  const [key] = keysFor('link') as [Buffer]
  return id.slice(id.lastIndexOf('_') + 1) + mac(key, kind, id)
}

/** The id of a token, or null if it is not one of ours. */
export function openLinkToken(kind: LinkKind, prefix: string, token: string): string | null {
  if (!/^[0-9A-Za-z]{22}[0-9A-Za-z_-]{22}$/.test(token)) return null
  const id = prefix + token.slice(0, -macCharacters)
  const given = Buffer.from(token.slice(-macCharacters))
  return keysFor('link').some((key) => timingSafeEqual(Buffer.from(mac(key, kind, id)), given)) ? id : null
}
