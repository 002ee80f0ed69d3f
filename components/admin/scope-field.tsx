import { FieldError } from '@/components/ui/field.tsx'
import type { KeyScope } from '@/lib/kernel/key-scope.ts'
import { adminText as t } from './text.ts'

interface Props {
  readonly scopes: readonly KeyScope[]
  readonly chosen: string | undefined
  readonly error: string | undefined
}

export const ScopeField = ({ scopes, chosen, error }: Props) => (
  <fieldset aria-describedby={error && 'scope-error'} id="scope" tabIndex={-1}>
    <legend className="mb-1 font-medium text-note">{t('keys.scope')}</legend>
    {error && (
      <div className="mb-2">
        <FieldError id="scope-error">{error}</FieldError>
      </div>
    )}
    <ul className="overflow-hidden rounded-box border border-field">
      {scopes.map((scope, index) => (
        <li className="not-first:border-line not-first:border-t has-checked:bg-tint" key={scope}>
          <label className="flex cursor-pointer items-baseline gap-3 px-4 py-2" htmlFor={`scope-${scope}`}>
            <input
              aria-describedby={`scope-${scope}-hint`}
              aria-labelledby={`scope-${scope}-name`}
              className="size-4.5 shrink-0 translate-y-0.75 accent-accent"
              defaultChecked={chosen === undefined ? index === 0 : scope === chosen}
              id={`scope-${scope}`}
              name="scope"
              required
              type="radio"
              value={scope}
            />
            <span className="min-w-0">
              <span className="flex flex-wrap items-baseline gap-x-3">
                <span id={`scope-${scope}-name`}>{t(`keys.scopes.${scope}`)}</span>
                {/* The API uses this name when it refuses a key. */}
                <code className="text-note text-soft">{scope}</code>
              </span>
              <span className="block text-note text-soft" id={`scope-${scope}-hint`}>
                {t(`keys.scopeHints.${scope}`)}
              </span>
            </span>
          </label>
        </li>
      ))}
    </ul>
    {!scopes.includes('full') && <p className="mt-1 text-note text-soft">{t('keys.scopesOfRole')}</p>}
  </fieldset>
)
