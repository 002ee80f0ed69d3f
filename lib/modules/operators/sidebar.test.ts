import { describe, expect, it } from 'vitest'
import { chosenSidebar, showsIcons } from './sidebar.ts'

describe('sidebar', () => {
  it.each([
    ['?sidebar=icons', '/admin/work', 'icons'],
    ['?status=paid&sidebar=full&from=2027-01-01', '/admin/work?status=paid&from=2027-01-01', 'full'],
  ])('a page with the query %s redirects to %s and stores the sidebar choice %s for a year', (search, to, choice) => {
    expect(chosenSidebar('/admin/work', search)).toEqual({
      to,
      cookie: `__Host-billhook_sidebar=${choice}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000`,
    })
  })

  it.each(['', '?sidebar=', '?sidebar=other', '?status=icons'])(
    'the query string %j does not change the sidebar',
    (search) => {
      expect(chosenSidebar('/admin/work', search)).toBeNull()
    },
  )

  it.each([
    [null, false],
    ['__Host-billhook_sidebar=full', false],
    ['a=b; __Host-billhook_sidebar=icons', true],
  ])('with the cookie %j, the sidebar shows only icons: %s', (cookies, isIcons) => {
    expect(showsIcons(cookies)).toBe(isIcons)
  })
})
