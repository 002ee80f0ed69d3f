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

/** Returns the keys of a purpose, derived from the current secret key and the previous secret keys. The current key is first. */
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
 * Encrypts with AES-256-GCM. The result is key id (4 bytes), nonce (12), tag (16), ciphertext. `place` is
 * `table|row|column` and is authenticated, so that nobody can move the value to another row.
 */
export function seal(plain: string, place: string): Uint8Array<ArrayBuffer> {
  const [key] = keysFor('seal') as [Buffer]
  return sealWith(key, plain, place)
}

export function sealWith(key: Uint8Array, plain: string, place: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return new Uint8Array(Buffer.concat([idOf(key), nonce, cipher.getAuthTag(), text]))
}

/** Decrypts a value. Throws if the value was changed or belongs to another `place`, or if its key is not configured. */
export function unseal(sealed: Uint8Array, place: string): string {
  const key = keysFor('seal').find((candidate) => isSealedWith(candidate, sealed))
  if (!key) throw new Error(`no key to unseal ${place}: is SECRET_KEY_PREVIOUS set?`)
  return unsealWith(key, sealed, place)
}

export const isOpenable = (sealed: Uint8Array): boolean =>
  keysFor('seal').some((candidate) => isSealedWith(candidate, sealed))

/** Decrypts like `unseal`, but returns null if the key is not configured. */
export const unsealIfOpenable = (sealed: Uint8Array, place: string): string | null =>
  isOpenable(sealed) ? unseal(sealed, place) : null

export const isSealedNow = (sealed: Uint8Array): boolean =>
  keysFor('seal')
    .slice(0, 1)
    .some((key) => isSealedWith(key, sealed))

/** The ids of the current key and of the previous keys in hexadecimal. An encrypted value begins with the id of its key (4 bytes). */
export function sealKeyIds(): { readonly current: string; readonly previous: readonly string[] } {
  const [current = '', ...previous] = keysFor('seal').map((key) => idOf(key).toString('hex'))
  return { current, previous: previous.filter((id) => id !== current) }
}

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
 * Keyed hashes of a text that is stored encrypted, so that the text can be searched. A new row stores the first hash,
 * made with the current key. A search must match any of the hashes.
 */
export const searchHashes = (text: string): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] =>
  keysFor('search').map((key) => new Uint8Array(createHmac('sha256', key).update(text).digest())) as [
    Uint8Array<ArrayBuffer>,
  ]

/** Keyed hashes for the audit log. A new entry stores the first hash, and a check accepts any of the hashes. */
export const auditMacs = (text: string): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] =>
  keysFor('audit').map((key) => new Uint8Array(createHmac('sha256', key).update(text).digest())) as [
    Uint8Array<ArrayBuffer>,
  ]

const macCharacters = 22

const mac = (key: Buffer, kind: LinkKind, id: string) =>
  createHmac('sha256', key).update(`${kind}:${id}`).digest('base64url').slice(0, macCharacters)

/** The secret part of a link: the id without its prefix, and 132 bits of HMAC. The token is not stored. */
export function linkToken(kind: LinkKind, id: string): string {
  const [key] = keysFor('link') as [Buffer]
  return id.slice(id.lastIndexOf('_') + 1) + mac(key, kind, id)
}

/** Returns the id in a link token. Returns null if this installation did not issue the token. */
export function openLinkToken(kind: LinkKind, prefix: string, token: string): string | null {
  if (!/^[0-9A-Za-z]{22}[0-9A-Za-z_-]{22}$/.test(token)) return null
  const id = prefix + token.slice(0, -macCharacters)
  const given = Buffer.from(token.slice(-macCharacters))
  return keysFor('link').some((key) => timingSafeEqual(Buffer.from(mac(key, kind, id)), given)) ? id : null
}
