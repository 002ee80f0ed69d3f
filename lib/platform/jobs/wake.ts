/** Wakes the worker of this process because a task may be due. Other processes find the task at their next look. */

// Two bundles run in one process, so the listener is shared through the global object.
const shared = globalThis as typeof globalThis & { billhookWake?: (() => void) | undefined }

export const wake = (): void => shared.billhookWake?.()

export function onWake(listener: (() => void) | undefined): void {
  shared.billhookWake = listener
}
