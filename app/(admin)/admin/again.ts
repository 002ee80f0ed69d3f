import { adminText as t } from '@/components/admin/text.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'

/**
 * Returns a page that reloads itself. If a reader follows a link on another site, the browser omits the `SameSite=Strict` session cookie, so the reader gets
 * this page first. The browser sends the cookie with the reload. `page` is a validated path.
 */
export function askAgain(page: string): Response {
  const address = page.replaceAll('&', '&amp;')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0;url=${address}">
<title>${t('title')}</title>
</head>
<body><p><a href="${address}">${t('continue')}</a></p></body>
</html>
`
  return new Response(html, {
    headers: {
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'cache-control': 'no-store',
    },
  })
}
