/** Wakes the worker of this process when a task may be due. Workers of other processes find the task by polling. */

// The bundles of the server and of the pages share the listener through the global object.
const shared = globalThis as typeof globalThis & { billhookWake?: (() => void) | undefined }

export const wake = (): void => shared.billhookWake?.()

export function onWake(listener: (() => void) | undefined): void {
  shared.billhookWake = listener
}
