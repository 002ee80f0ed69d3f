/**
 * Returns null instead of an address with non-ASCII letters before the `@`. RFC 6531 permits these letters, but
 * providers can refuse the address.
 */
const sentEmail = (email: string | null): string | null => (email && /^[\x21-\x7e]+$/.test(email) ? email : null)

/** Creates an object with the email address. If the provider refuses the address, creates the object without it. */
export async function withEmail<Made>(
  email: string | null,
  make: (email: string | null) => Promise<Made>,
  isOfEmail: (error: unknown) => boolean,
): Promise<Made> {
  const sent = sentEmail(email)
  return make(sent).catch((error) => {
    if (sent === null || !isOfEmail(error)) throw error
    return make(null)
  })
}
