import { IconBraces, IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { useAll } from '../api/query'
import type { MessageTemplate } from '../api/types'
import { useCan, useSession } from '../session'
import { Link } from '../shell/Link'
import { plainText } from './formatted'
import { SearchMenu } from './SearchMenu'
import { variableLabel } from './variables'

/** All templates that the user sees, by name. */
export const useTemplates = (isWanted = true) =>
  useAll(useCan('messages:read') && isWanted ? '/message-templates' : null, { sort: 'name' })

/** Chooses a message template. */
export function TemplateMenu({ onPick }: { onPick: (template: MessageTemplate) => void }) {
  const [isOpened, setOpened] = useState(false)
  const { user } = useSession()
  const templates = useTemplates(isOpened).data?.data
  const may = useCan('messages:read')
  if (!may) return null
  const group = (one: MessageTemplate) => (one.owner_id === user.user_id ? 'Your templates' : 'Shared with you')
  const items = (templates ?? []).map((one) => ({
    value: one.id,
    label: one.name,
    note: one.subject ?? plainText(one.content),
    group: group(one),
  }))
  return (
    <SearchMenu
      label="Template"
      icon={IconTemplate}
      items={items.sort((a, b) => b.group.localeCompare(a.group))}
      empty={
        templates ? (
          <>
            No templates yet. <Link to="/settings/messages">Create one</Link>
          </>
        ) : (
          'Loading…'
        )
      }
      onOpen={() => setOpened(true)}
      onPick={(id) => {
        const found = templates?.find((one) => one.id === id)
        if (found) onPick(found)
      }}
    />
  )
}

type VariableProps = {
  names: string[]
  /** The value of a variable for the contact, where it is known; null if the contact has none. */
  valueFor?: (name: string) => string | null
  onOpen?: () => void
  onPick: (name: string) => void
}

/** Chooses a variable of a template. */
export function VariableMenu({ names, valueFor, onOpen, onPick }: VariableProps) {
  const item = (name: string) => {
    const value = valueFor?.(name)
    return {
      value: name,
      label: variableLabel(name),
      note: valueFor ? (value ?? 'No value') : name,
      disabled: value === null,
    }
  }
  return (
    <SearchMenu
      label="Variable"
      icon={IconBraces}
      items={names.map(item)}
      empty="No variables"
      onOpen={onOpen}
      onPick={onPick}
    />
  )
}
