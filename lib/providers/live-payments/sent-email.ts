/** For the provider's own records. Letters beyond ASCII before the `@` are valid (RFC 6531), but may be refused. */
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
