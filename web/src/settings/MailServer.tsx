import { Fieldset, Group, NumberInput, Select, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { capital } from '../fields/format'
import { Problem } from '../shell/problems'
import type { Failure, ServerField } from './mailFailures'
import { portOf, type Security, type ServerForm } from './mailProviders'
import classes from './settings.module.css'

const SECURITIES: { value: Security; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
]

type Props = {
  part: 'smtp' | 'imap'
  title: string
  hint?: string
  server: ServerForm
  required?: boolean
  onChange: (next: ServerForm) => void
  /** Takes apart a pasted address; false if it is none. */
  onPaste: (text: string) => boolean
  /** The failure of a field. */
  at: (field: ServerField) => ReactNode
}

/** Host, port and security of a mail server. */
export function ServerFields({ part, title, hint, server, required, onChange, onPaste, at }: Props) {
  const secure = (security: Security) => {
    const isUsual = server.port === '' || server.port === portOf(part, server.security)
    onChange({ ...server, security, port: isUsual ? portOf(part, security) : server.port })
  }
  return (
    <Fieldset legend={title} p="sm" pt="xs">
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <Group gap="sm" align="flex-start" wrap="wrap">
        <TextInput
          label="Host"
          className={classes.host}
          required={required}
          placeholder={`${part}.example.com`}
          autoComplete="off"
          value={server.host}
          onChange={({ currentTarget: { value } }) => onPaste(value) || onChange({ ...server, host: value })}
          error={at('host')}
        />
        <NumberInput
          label="Port"
          className={classes.port}
          required={required || server.host !== ''}
          min={1}
          max={65535}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={server.port}
          onChange={(port) => onChange({ ...server, port: typeof port === 'number' ? port : '' })}
          error={at('port')}
        />
        <Select
          label="Security"
          className={classes.security}
          allowDeselect={false}
          data={SECURITIES}
          value={server.security}
          onChange={(next) => secure(SECURITIES.find((one) => one.value === next)?.value ?? 'tls')}
          error={at('security')}
        />
      </Group>
    </Fieldset>
  )
}

/** A failure at its field, with an explanation for those who want it. */
export function Why({ failure, field }: { failure: Failure; field: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Problem field={field}>
      {capital(failure.text)}{' '}
      {failure.meaning && (
        <UnstyledButton
          className={classes.why}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          What does this mean?
        </UnstyledButton>
      )}
      {isOpen && (
        <span id={id} className={classes.meaning}>
          {failure.meaning}
        </span>
      )}
    </Problem>
  )
}
