import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { get } from '../api/client'
import type { DataOf } from '../api/paths'
import { Chip } from '../fields/Show'
import { copy } from '../shell/Copy'
import { notifyError } from '../shell/notices'
import { isPlaced, problemOf } from '../shell/problems'
import classes from './settings.module.css'

const NAMES = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC', mx: 'MX', unsubscribe: 'One-click unsubscribe' }

const COLORS = { pass: 'var(--r-ok)', warn: 'var(--r-warn)', fail: 'var(--r-danger)', unknown: null }

type Checked = DataOf<`/connected-accounts/${string}/domain-check`>

/** Looks the records of an account's domain up, and shows which to add. The usual DKIM selectors are tried unless one is given. */
export function DomainCheck({ account }: { account: string }) {
  const [checked, setChecked] = useState<Checked>()
  const [busy, setBusy] = useState(false)
  const [selector, setSelector] = useState('')
  const [error, setError] = useState<unknown>()
  const check = () => {
    setBusy(true)
    setError(undefined)
    const given = selector.trim()
    get(`/connected-accounts/${account}/domain-check`, given ? { selector: given } : undefined)
      .then(
        ({ data }) => setChecked(data),
        (problem) => {
          setError(problem)
          if (!isPlaced(problem, ['selector'])) notifyError(problem)
        },
      )
      .finally(() => setBusy(false))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    check()
  }
  return (
    <>
      <Button variant="default" loading={busy && !checked} onClick={check}>
        Check domain
      </Button>
      {checked && (
        <Stack gap="xs" w="100%" role="group" aria-label={`Check of ${checked.domain}`}>
          <form onSubmit={submit} className={classes.selector}>
            <TextInput
              label="DKIM selector"
              description="The part before ._domainkey in the name of your DKIM record. Leave it empty to try the usual ones"
              autoComplete="off"
              spellCheck={false}
              value={selector}
              onChange={(event) => {
                setSelector(event.currentTarget.value)
                setError(undefined)
              }}
              error={problemOf(error, 'selector')}
            />
            <Button type="submit" variant="default" loading={busy}>
              Check again
            </Button>
          </form>
          {checked.findings.map((one) => (
            <div key={one.check}>
              <Group gap="xs">
                <Text fw={600}>{NAMES[one.check]}</Text>
                <Chip value={one.verdict} color={COLORS[one.verdict]} />
              </Group>
              <Text c="dimmed">{one.reason}</Text>
              {one.record && (
                <Group gap="xs" wrap="nowrap" align="flex-start">
                  <Code style={{ overflowWrap: 'anywhere' }}>
                    {one.record.name} {one.record.kind} {one.record.value}
                  </Code>
                  <Button size="compact-xs" variant="default" onClick={() => copy(one.record?.value ?? '')}>
                    Copy value
                  </Button>
                </Group>
              )}
            </div>
          ))}
        </Stack>
      )}
    </>
  )
}
