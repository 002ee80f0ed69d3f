const shared = globalThis as typeof globalThis & { billhookFailpoint?: ((name: string) => void) | undefined }

/** A point at which a crash test can kill the process, before or after a write, a request, or a commit. */
export const failpoint = (name: string): void => shared.billhookFailpoint?.(name)
