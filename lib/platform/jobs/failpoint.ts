// Set only in the process of a crash test; a no-op anywhere else.
const shared = globalThis as typeof globalThis & { billhookFailpoint?: ((name: string) => void) | undefined }

/** A point at which a crash test can end the process. Between two points something is written, sent, or committed. */
export const failpoint = (name: string): void => shared.billhookFailpoint?.(name)
