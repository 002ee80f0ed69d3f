import { foldFields } from './field-folds.ts'
import { followForm } from './form.ts'
import { showLocalTimes } from './local-times.ts'
import { newQuotes } from './quotes.ts'
import { newTextWriter } from './text.ts'

/*
 * The script of the hosted pages: it goes into the page as text (`document.tsx`), and nothing else runs there. So each of
 * these functions refers to nothing outside itself, and what it needs of another is passed to it here.
 */
const script = `
(${showLocalTimes})();
(${foldFields})();
for (const form of document.querySelectorAll('form[data-live]'))
  (${followForm})(form, (${newTextWriter})(), ${newQuotes});
`

/** Under `npm run dev` React takes the page over first, to reload it on a change, and would report what the script has set. */
export const hostedScript =
  process.env.NODE_ENV === 'development'
    ? `addEventListener('load', () => requestIdleCallback(() => {${script}}))`
    : script
