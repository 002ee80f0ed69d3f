// Set only in the process of a crash test; a no-op anywhere else.
const shared = globalThis as typeof globalThis & { billhookFailpoint?: ((name: string) => void) | undefined }

/**
 * A point at which a crash test can end the process. Between two such points something is written, sent, or committed.
 * `lib/testing/failpoints.ts` lists them.
 */
export const failpoint = (name: string): void => shared.billhookFailpoint?.(name)
