/**
 * The address of a buyer as a provider is sent it, for its own records; null where it may be refused. Letters beyond ASCII
 * before the `@` are valid (RFC 6531) and taken here, and not everywhere.
 */
const sentEmail = (email: string | null): string | null => (email && /^[\x21-\x7e]+$/.test(email) ? email : null)

/** Creates an object with the email address, or without the address if the provider refuses the address. */
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
