import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { post } from '../api/client'
import { useAction } from '../api/query'
import { Modal } from '../shell/Modal'
import { ErrorMessage, isPlaced, problemOf } from '../shell/problems'

/** Asks for the password; `onEnd` gets whether it was right. */
export function ConfirmPassword({ onEnd }: { onEnd: (given: boolean) => void }) {
  const [password, setPassword] = useState('')
  const confirm = useAction(
    () => post('/dashboard/session/reauthenticate', { password }),
    () => onEnd(true),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(undefined)
  }
  return (
    <Modal opened onClose={() => onEnd(false)} title="Confirm your password" zIndex={400}>
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
          {confirm.error && !isPlaced(confirm.error, ['password']) && <ErrorMessage error={confirm.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onEnd(false)}>
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
