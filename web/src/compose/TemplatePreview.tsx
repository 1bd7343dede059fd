import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useGet } from '../api/query'
import { Mail } from '../inbox/Mail'
import { personName } from '../session'
import { ErrorMessage } from '../shell/problems'
import classes from './compose.module.css'
import { isHtml } from './draft'
import { fillIn } from './fillIn'
import { variableLabel } from './variables'

type Props = { contactId: string; subject: string; content: string }

/** A template as a contact would get it, from the user's account. */
export function TemplatePreview({ contactId, subject, content }: Props) {
  const contact = useGet(`/contacts/${contactId}`).data?.data
  const now = useMemo(
    () => ({ contact_id: contactId, content, ...(subject ? { subject } : {}) }),
    [contactId, content, subject],
  )
  const [text] = useDebouncedValue(now, 250)
  const asked = useQuery({
    queryKey: ['preview', '/messages/preview', text],
    queryFn: () => fillIn(text),
    placeholderData: keepPreviousData,
  })
  if (asked.error) return <ErrorMessage error={asked.error} />
  if (!contact || !asked.data) return null
  const { data: filled } = asked
  const missing = filled.missing.map(variableLabel)
  return (
    <div aria-live="polite">
      {missing.length > 0 && (
        <Text size="sm" c="red" mb={6}>
          {personName(contact)} has no value for: {missing.join(', ')}. Add a fallback such as {'{{ '}title |
          default("expert"){' }}'}, or such a message is not sent.
        </Text>
      )}
      <div className={classes.preview} data-testid="preview">
        {filled.subject && <div className={classes.subject}>{filled.subject}</div>}
        <Mail text={filled.content} html={isHtml(filled.content) ? filled.content : null} title="Preview" />
      </div>
    </div>
  )
}
