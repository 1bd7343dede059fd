import { Alert, Button, Checkbox, CopyButton, Group, ScrollArea, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../api/client'
import { useAction, useGet } from '../api/query'
import { humanize } from '../fields/spec'
import { Modal } from '../shell/Modal'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'
import { useProblems } from '../shell/useProblems'
import classes from './settings.module.css'

const MS_PER_DAY = 86_400_000

/** The end of a chosen day in the browser's time zone. */
const endOf = (date: string) => new Date(`${date}T23:59:59`)

/** The last possible expiry day of a key, within the server's limit. */
function latest(days: number): string {
  const end = new Date(Date.now() + days * MS_PER_DAY)
  const local = (at: Date) =>
    [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  return endOf(local(end)) > end ? local(new Date(end.getTime() - MS_PER_DAY)) : local(end)
}

/** Name, permissions and expiry; then the key itself, shown once. */
export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const known = useGet('/dashboard/scopes').data?.data
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>([])
  const [bundle, setBundle] = useState<string | null>(null)
  const longest = useGet('/dashboard/workspace').data?.data.longest_key_days
  const most = longest ? latest(longest) : undefined
  const [picked, setUntil] = useState<string>()
  const until = picked ?? most ?? ''
  const make = useAction(() => {
    const expires = until ? { expires_at: endOf(until).toISOString() } : {}
    return post('/dashboard/keys', { name, scopes, ...expires })
  }, onMade)
  const { left, solveAt } = useProblems(make.error)
  const typed = name !== '' || scopes.length > 0 || picked !== undefined
  const key = make.data?.data.key
  const take = (next: string | null) => {
    setBundle(next)
    setScopes(known?.bundles.find((one) => one.name === next)?.scopes ?? [])
  }
  const chosen = known?.bundles.find((one) => one.name === bundle)
  return (
    // The key is shown once, so only the button closes the dialog then.
    <Modal
      opened
      onClose={onClose}
      title={key ? 'Your new key' : 'New API key'}
      size="lg"
      guarded={!!key}
      unsaved={!key && typed}
    >
      {key ? (
        <Stack gap="sm">
          <Alert color="gray" variant="outline">
            Copy it now: it is not shown again.
          </Alert>
          <div className={`grammar ${classes.secret}`} data-testid="new-key">
            {key}
          </div>
          <div className={`grammar ${classes.secret}`}>
            curl -H "Authorization: Bearer {key}" {location.origin}/api/v1/contacts
          </div>
          <Group justify="flex-end">
            <CopyButton value={key}>
              {({ copied, copy }) => (
                <Button variant="default" autoFocus onClick={copy}>
                  {copied ? 'Copied' : 'Copy key'}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onInput={solveAt}
          onSubmit={(event) => {
            event.preventDefault()
            make.mutate(undefined)
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Name"
              description="What will use it"
              required
              data-autofocus
              value={name}
              error={problemOf(left, 'name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group grow gap="sm" align="flex-start">
              <Select
                label="Permissions"
                placeholder="Choose single permissions below"
                clearable
                data={known?.bundles.map((one) => ({ value: one.name, label: humanize(one.name) })) ?? []}
                value={bundle}
                onChange={take}
                description={chosen?.description ?? 'A bundle of permissions'}
              />
              <TextInput
                label="Expires"
                description={
                  longest
                    ? `At most ${longest} days`
                    : 'The end of this day in your time zone. Leave empty for no expiry'
                }
                error={problemOf(left, 'expires_at')}
                type="date"
                required={!!longest}
                max={most}
                value={until}
                onChange={(event) => setUntil(event.currentTarget.value)}
              />
            </Group>
            <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars viewportProps={{ tabIndex: 0 }}>
              <Checkbox.Group
                value={scopes}
                onChange={(next) => {
                  setScopes(next)
                  setBundle(null)
                }}
                aria-label="Single permissions"
              >
                {known?.areas.map((area) => (
                  <div key={area.name} style={{ marginBottom: 10 }}>
                    <Text size="xs" fw={600} tt="capitalize" mb={4}>
                      {area.name.replaceAll('_', ' ')}
                    </Text>
                    <Stack gap={4}>
                      {area.scopes.map((one) => (
                        <Checkbox
                          key={one.scope}
                          size="xs"
                          value={one.scope}
                          label={one.scope}
                          description={one.description}
                        />
                      ))}
                    </Stack>
                  </div>
                ))}
              </Checkbox.Group>
            </ScrollArea.Autosize>
            {left && !isPlaced(left, ['name', 'expires_at']) && <ErrorMessage error={left} />}
            <Group justify="flex-end">
              {scopes.length === 0 && (
                <Text size="sm" c="dimmed" id="why-disabled">
                  Choose at least one permission.
                </Text>
              )}
              <Button
                type="submit"
                disabled={scopes.length === 0}
                aria-describedby={scopes.length === 0 ? 'why-disabled' : undefined}
                loading={make.isPending}
              >
                Create key
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
