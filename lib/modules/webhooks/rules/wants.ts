/** Whether an endpoint wants events of this name now. Checked before each attempt. */
export const wants = (
  { enabledEvents, deleted }: { readonly enabledEvents: readonly string[]; readonly deleted: boolean },
  eventName: string,
): boolean => !deleted && enabledEvents.includes(eventName)
