import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { onReauthenticate, post } from '../api/client'
import { useAction } from '../api/query'
import { Modal } from '../shell/Modal'
import { isPlaced, problemOf, Words } from '../shell/tell'

/** Asks for the password before a sensitive request, which is then repeated. The form below keeps its values. */
export function Reauthenticate() {
  const [answer, setAnswer] = useState<(given: boolean) => void>()
  const [password, setPassword] = useState('')
  useEffect(() => onReauthenticate(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), [])
  const end = (given: boolean) => {
    answer?.(given)
    setAnswer(undefined)
    setPassword('')
    confirm.reset()
  }
  const confirm = useAction(
    () => post('/dashboard/session/reauthenticate', { password }),
    () => end(true),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(undefined)
  }
  if (!answer) return null
  return (
    <Modal opened onClose={() => end(false)} title="Confirm your password" zIndex={400}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">This change needs your password again. You will not be asked again for 10 minutes.</Text>
          <PasswordInput
            label="Your password"
            required
            data-autofocus
            autoComplete="current-password"
            error={problemOf(confirm.error, 'password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {confirm.error && !isPlaced(confirm.error, ['password']) && <Words error={confirm.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => end(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              Confirm
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
