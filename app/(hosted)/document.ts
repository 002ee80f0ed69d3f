export const document = (html: string) =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox",
      'cache-control': 'no-store',
    },
  })
