export const read = (text: string): string => text.replaceAll(/[^\S\n]/g, ' ')

export const shown = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
