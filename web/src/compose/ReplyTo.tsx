import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { addressesIn, problemWith } from './addresses'

type Props = {
  value: string
  /** The address of the account, which gets the answers otherwise. */
  own?: string | null
  onChange: (address: string) => void
  error?: ReactNode
}

/** The one address that answers go to. What is not an address is marked once the field is left. */
export function ReplyTo({ value, own, onChange, error }: Props) {
  const [isTyping, setTyping] = useState(false)
  const problem = value && !isTyping ? problemWith([value]) : undefined
  const leave = () => {
    setTyping(false)
    // `Ada Example <ada@example.com>` is pasted from other programs.
    const found = addressesIn(value)
    const next = found.length === 1 ? found[0] : value.trim()
    if (next !== value) onChange(next)
  }
  return (
    <TextInput
      label="Reply-To"
      size="sm"
      inputMode="email"
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
      placeholder={own ? `Answers go to ${own}` : undefined}
      value={value}
      onFocus={() => setTyping(true)}
      onBlur={leave}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem ? <span role="alert">{problem}</span> : error}
    />
  )
}
