/** Intl's spaces differ between versions of Node; the text that is read is the same. */
export const read = (text: string): string => text.replaceAll(/[^\S\n]/g, ' ')

/** The text that a browser shows of an email, tag by tag. */
export const shown = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
