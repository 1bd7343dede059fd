import { Button, Group, Popover, TextInput } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconLink } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useState } from 'react'
import { linkTarget } from './formatted'

type Props = { editor: Editor; isOpened: boolean; onOpen: (isOpened: boolean) => void }

/** Links the selected words, changes the link at the cursor, or inserts an address as a link. */
export function LinkControl({ editor, isOpened, onOpen }: Props) {
  const href = useEditorState({ editor, selector: () => linkAt(editor) })
  const close = () => {
    onOpen(false)
    // The popover gives the focus back to its button.
    setTimeout(() => editor.view.focus(), 0)
  }
  return (
    <Popover opened={isOpened} onChange={onOpen} position="top-start" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <RichTextEditor.Control
          type="button"
          aria-label="Link"
          title="Link (Ctrl+K)"
          active={href !== null}
          onClick={() => onOpen(!isOpened)}
        >
          <IconLink size={16} aria-hidden />
        </RichTextEditor.Control>
      </Popover.Target>
      <Popover.Dropdown aria-label="Link">
        {isOpened && <Form editor={editor} href={href} onClose={close} />}
      </Popover.Dropdown>
    </Popover>
  )
}

const linkAt = (editor: Editor): string | null => editor.getAttributes('link').href ?? null

const REFUSED = 'Enter the address of a page, such as https://example.com, or an email address'

function Form({ editor, href, onClose }: { editor: Editor; href: string | null; onClose: () => void }) {
  const [typed, setTyped] = useState(href ?? '')
  const [isRefused, setRefused] = useState(false)
  const save = () => {
    const target = linkTarget(typed)
    if (!target) {
      setRefused(true)
      return
    }
    const mark = { type: 'link', attrs: { href: target } }
    const chain = editor.chain()
    if (href === null && editor.state.selection.empty) {
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [mark] }).unsetMark('link')
    } else chain.extendMarkRange('link').setLink({ href: target })
    chain.run()
    onClose()
  }
  const remove = () => {
    editor.chain().extendMarkRange('link').unsetLink().run()
    onClose()
  }
  const keys = (event: KeyboardEvent) => {
    // The keys of the dialog and of the form around it mean something else.
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (event.target instanceof HTMLInputElement) save()
    else if (event.target instanceof HTMLButtonElement) event.target.click()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the keys of its inputs
    <div role="presentation" onKeyDown={keys}>
      <TextInput
        label="Link to"
        placeholder="https://example.com"
        data-autofocus
        data-mantine-stop-propagation="true"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setRefused(false)
        }}
        error={isRefused ? REFUSED : undefined}
      />
      <Group justify="flex-end" gap="xs" mt="xs">
        {href !== null && (
          <Button variant="default" data-mantine-stop-propagation="true" onClick={remove}>
            Remove link
          </Button>
        )}
        <Button data-mantine-stop-propagation="true" onClick={save}>
          Save link
        </Button>
      </Group>
    </div>
  )
}
