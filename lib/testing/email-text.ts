/** Replaces the spaces of Intl, which differ between versions of Node.js. */
export const read = (text: string): string => text.replaceAll(/[^\S\n]/g, ' ')

/** The text of an email that a browser shows, one line per tag. */
export const shown = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
