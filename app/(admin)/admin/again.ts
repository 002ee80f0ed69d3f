import { adminText as t } from '@/components/admin/text.ts'
import { pageHeaders } from '@/lib/platform/http/page-headers.ts'

/**
 * Returns a page that reloads itself. A reader who follows a link on another site gets this page first, because the browser then omits the `SameSite=Strict`
 * session cookie. The browser sends the cookie with the reload. `page` is a validated path.
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
