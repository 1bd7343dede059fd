import { Pill, TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useFoundContacts } from '../fields/Pickers'
import { ranked } from '../fields/rank'
import { personName, useMembers } from '../session'
import { addressesIn, isAddress, problemWith, withAddresses } from './addresses'
import classes from './compose.module.css'

type Props = {
  label: string
  value: string[]
  onChange: (addresses: string[]) => void
  error?: ReactNode
  disabled?: boolean
  autoFocus?: boolean
}

/** The name of each address that is suggested. */
function useSuggestions(typed: string) {
  const { members } = useMembers()
  const { found, isFetching } = useFoundContacts(typed)
  const people = [
    ...members.map((one) => ({ email: one.email, name: personName(one) })),
    ...(typed ? found : []).flatMap((one) => one.emails.map(({ email }) => ({ email, name: personName(one) }))),
  ]
  const words = typed.toLowerCase().split(/\s+/)
  const fits = ({ email, name }: (typeof people)[number]) =>
    words.every((word) => `${name} ${email}`.toLowerCase().includes(word))
  const names = new Map(people.filter(fits).map((one) => [one.email, one.name]))
  return { names, emails: ranked([...names.keys()], typed, (email) => `${names.get(email)} ${email}`), isFetching }
}

/**
 * Several email addresses, suggested by the names and addresses of contacts and members. Comma, Enter and leaving the field
 * take what was typed. What is not an address stays, marked, and goes back into the field by a click or by Backspace.
 */
export function AddressInput({ label, value, onChange, error, disabled, autoFocus }: Props) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 150)
  const { names, emails, isFetching } = useSuggestions(asked)
  const isSettled = asked === typed.trim() && !isFetching
  const isName = typed.trim() !== '' && !isAddress(typed.trim()) && !typed.includes('<')
  const take = (text: string) => onChange(withAddresses(value, addressesIn(text)))
  const correct = (wrong: string) => {
    onChange(value.filter((one) => one !== wrong))
    setTyped(wrong)
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = value.at(-1)
    if (event.key === 'Backspace' && typed === '' && last && !isAddress(last)) {
      event.preventDefault()
      correct(last)
    }
    // The suggestions for a name are on their way.
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && isName && !isSettled) event.preventDefault()
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!text) return
    // The library would take every pasted word as an address.
    event.stopPropagation()
    if (!/[@,;\n]/.test(text)) return
    event.preventDefault()
    take(`${typed}${text}`)
    setTyped('')
  }
  const problem = problemWith(value)
  return (
    <TagsInput
      label={label}
      size="sm"
      data={emails}
      filter={({ options }) => options}
      limit={8}
      renderOption={({ option }) => (
        <span className="grow cut">
          {names.get(option.value)} <span className="dim">{option.value}</span>
        </span>
      )}
      // Enter takes the first suggestion for a name, and an address as it was typed.
      selectFirstOptionOnChange={isName && isSettled && emails.length > 0}
      splitChars={[',', ';']}
      inputMode="email"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={value.length ? undefined : 'Names or addresses'}
      disabled={disabled}
      autoFocus={autoFocus}
      searchValue={typed}
      onSearchChange={setTyped}
      onKeyDown={keys}
      onPasteCapture={paste}
      value={value}
      // The keyboards of phones don’t report commas, so that several addresses may arrive as one.
      onChange={(list) => onChange(withAddresses([], list.flatMap(addressesIn)))}
      renderPill={({ value: one, onRemove, disabled: isLocked }) => {
        const isWrong = !isAddress(String(one))
        return (
          <Pill
            size="sm"
            withRemoveButton={!isLocked}
            onRemove={onRemove}
            className={isWrong ? classes.wrong : undefined}
            title={isWrong ? 'Click to correct it' : undefined}
            onClick={isWrong && !isLocked ? () => correct(String(one)) : undefined}
          >
            {one}
          </Pill>
        )
      }}
      error={problem ? <span role="alert">{problem}</span> : error}
    />
  )
}
