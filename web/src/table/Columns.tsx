import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import type { Field } from '../fields/spec'
import type { TableState } from './state'

/** Columns as a parameter of the address, with the widths that were chosen. */
const listed = (state: TableState, keys: string[]) =>
  keys.map((key) => (state.widths[key] ? `${key}:${state.widths[key]}` : key)).join(',')

/** The columns after one was put in the place of another; the others move aside. */
export function placed(state: TableState, lead: string, key: string, target: string): string {
  const keys = state.columns.filter((one) => one !== lead)
  const [from, to] = [keys.indexOf(key), keys.indexOf(target)]
  if (from < 0 || to < 0) return listed(state, [lead, ...keys])
  keys.splice(to, 0, ...keys.splice(from, 1))
  return listed(state, [lead, ...keys])
}

/** Selection and order of the columns. */
export function Columns({ state, fields, lead }: { state: TableState; fields: Field[]; lead: string }) {
  const chosen = state.columns.filter((key) => key !== lead && fields.some((field) => field.key === key))
  const others = fields.filter((field) => field.key !== lead && !chosen.includes(field.key))
  const save = (keys: string[]) => state.set({ columns: listed(state, [lead, ...keys]) })
  const swap = (index: number, by: number) => {
    const next = [...chosen]
    const [moved] = next.splice(index, 1)
    next.splice(index + by, 0, moved)
    save(next)
  }
  const labelOf = (key: string) => fields.find((field) => field.key === key)?.label ?? key
  return (
    <Popover position="bottom-end" width={280} trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah="60vh">
          <Stack gap={4}>
            {chosen.map((key, index) => (
              <Group key={key} gap={4} wrap="nowrap">
                <Checkbox
                  size="xs"
                  className="grow"
                  label={labelOf(key)}
                  checked
                  onChange={() => save(chosen.filter((one) => one !== key))}
                />
                <ActionIcon
                  size="sm"
                  disabled={index === 0}
                  onClick={() => swap(index, -1)}
                  aria-label={`${labelOf(key)} further left`}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  size="sm"
                  disabled={index === chosen.length - 1}
                  onClick={() => swap(index, 1)}
                  aria-label={`${labelOf(key)} further right`}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
              </Group>
            ))}
            {others.map((field) => (
              <Checkbox
                key={field.key}
                size="xs"
                label={field.label}
                checked={false}
                onChange={() => save([...chosen, field.key])}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
