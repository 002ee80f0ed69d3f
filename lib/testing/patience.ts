import { beforeEach, vi } from 'vitest'
import * as posting from '../modules/webhooks/post.ts'

export function deliverPatiently(): void {
  const { postEvent } = posting
  beforeEach(() => {
    vi.spyOn(posting, 'postEvent').mockImplementation((to, event) => postEvent(to, event, 600_000))
  })
}
