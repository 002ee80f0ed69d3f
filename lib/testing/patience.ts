import { beforeEach, vi } from 'vitest'
import * as posting from '../modules/webhooks/post.ts'

/** In the tests of the file that calls this, no attempt of a delivery fails for a slow machine. */
export function deliverPatiently(): void {
  const { postEvent } = posting
  beforeEach(() => {
    vi.spyOn(posting, 'postEvent').mockImplementation((to, event) => postEvent(to, event, 600_000))
  })
}
