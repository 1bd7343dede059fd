import { Button, Group, Popover, TagsInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useList } from '../api/query'

type ChooserProps = {
  label: string
  picker: (onPick: (id: string | null) => void) => ReactNode
  onPick: (id: string) => void
}

/** A button of the bar that lets the user pick one record. */
export function Chooser({ label, picker, onPick }: ChooserProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {picker((id) => {
          if (!id) return
          setOpened(false)
          onPick(id)
        })}
      </Popover.Dropdown>
    </Popover>
  )
}

type TagProps = { onAdd: (names: string[]) => void; onRemove?: (names: string[]) => void }

/** A button of the bar that lets the user pick tags. */
export function TagChooser({ onAdd, onRemove }: TagProps) {
  const tags = useList('/tags', { limit: '100', sort: 'name' }).data?.data ?? []
  const [names, setNames] = useState<string[]>([])
  const [opened, setOpened] = useState(false)
  const finish = (act: (names: string[]) => void) => {
    setOpened(false)
    setNames([])
    act(names)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={280} trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)}>
          Tag
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <TagsInput
          size="xs"
          label="Tags"
          placeholder="Type and press Enter"
          data={tags.map((tag) => tag.name)}
          value={names}
          onChange={setNames}
          comboboxProps={{ withinPortal: false, position: 'top-start', middlewares: { flip: false, shift: true } }}
        />
        <Group mt="xs" gap="xs">
          <Button disabled={names.length === 0} onClick={() => finish(onAdd)}>
            Add tags
          </Button>
          {onRemove && (
            <Button variant="default" disabled={names.length === 0} onClick={() => finish(onRemove)}>
              Remove tags
            </Button>
          )}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
