import { Anchor, Text } from '@mantine/core'
import type { ConnectedAccount } from '../api/types'
import { Mail } from '../inbox/Mail'
import classes from './compose.module.css'
import { isHtml } from './draft'

/** A signature as recipients see it. */
export function SignatureView({ signature }: { signature: string }) {
  return (
    <div className={classes.signature} role="note" aria-label="Signature">
      <Mail text={signature} html={isHtml(signature) ? signature : null} title="Signature" />
    </div>
  )
}

type Props = {
  account: ConnectedAccount | undefined
  /** In the format of the message. */
  signature: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** The signature below the text of a message, which can be left out. */
export function SignatureLine({ account, signature, isOn, onChange }: Props) {
  if (!account || !signature) return null
  const link = (text: string, next: boolean) => (
    <Anchor component="button" type="button" size="xs" onClick={() => onChange(next)}>
      {text}
    </Anchor>
  )
  if (!isOn) {
    return (
      <Text size="xs" c="dimmed">
        No signature. {link('Add signature', true)}
      </Text>
    )
  }
  return (
    <div>
      <SignatureView signature={signature} />
      {link('Leave out signature', false)}
    </div>
  )
}
