import { Button, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError, type Problem, post } from '../api/client'
import type { Step } from '../api/types'
import { notify, notifyError } from '../shell/notices'
import { isOfText } from './steps'

type Props = {
  sequence: string
  /** The contact whose values are filled in. */
  contact: string | null
  isDirty: boolean
  /** The index of the variant to send, if the step has variants. */
  variant?: number
  /** Saves unsaved changes; returns the step as it is stored. */
  stored: () => Promise<Step | undefined>
  /** Gets the server's problems with the step. */
  onRefused: (problems: Problem[]) => void
}

/** Sends the step as a test to the signed-in user. */
export function TestStep({ sequence, contact, isDirty, variant, stored, onRefused }: Props) {
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!contact) return
    setBusy(true)
    try {
      const step = await stored()
      if (!step) return
      const { data } = await post(`/sequences/${sequence}/steps/${step.id}/test`, {
        contact_id: contact,
        ...(variant === undefined ? {} : { variant_id: step.variants[variant]?.id }),
      })
      notify(`Test sent to ${data.to}${data.from ? ` from ${data.from}` : ''}`)
    } catch (error) {
      const problems = error instanceof ApiError ? error.problems : []
      onRefused(problems.filter((one) => isOfText(one.field)))
      // A step that was just saved for the first time is shown anew, without what was reported to it.
      if (isDirty || problems.length === 0 || problems.some((one) => !isOfText(one.field))) notifyError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconSend size={14} />}
        disabled={!contact}
        loading={isBusy}
        onClick={send}
      >
        {isDirty ? 'Save and send me a test' : 'Send me a test'}
      </Button>
      <Text size="xs" c="dimmed" mt={4}>
        {contact
          ? 'With the values of this contact, who gets nothing.'
          : 'Choose a contact above, whose values are filled in.'}
      </Text>
    </div>
  )
}
