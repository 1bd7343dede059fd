import { Button, Group, Switch, TextInput } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { post, put, remove } from '../api/client'
import { refresh } from '../api/query'
import type { MessageTemplate } from '../api/types'
import { SubjectInput } from '../compose/BraceWarning'
import { insertAt } from '../compose/insert'
import { useTemplates, VariableMenu } from '../compose/Menus'
import { TemplatePreview } from '../compose/TemplatePreview'
import { TextEditor } from '../compose/TextEditor'
import type { TextField } from '../compose/textField'
import { isMessageVariable, MESSAGE_VARIABLES, placeholder } from '../compose/variables'
import { ContactPicker } from '../fields/Pickers'
import { labelsOf } from '../fields/spec'
import { MESSAGE_TEMPLATE_FIELDS } from '../generated/fields'
import { useCan, useManages, useMembers, useSession } from '../session'
import { notify, notifyError } from '../shell/notices'
import { Card, Empty, Loaded } from '../shell/Page'
import { Delete, Dialog } from './parts'

const label = labelsOf(MESSAGE_TEMPLATE_FIELDS)

export function MessageTemplates() {
  const templates = useTemplates()
  const may = useCan('messages:write')
  const [edited, setEdited] = useState<Partial<MessageTemplate>>()
  const all = templates.data?.data ?? []
  const create = may && <Button onClick={() => setEdited({})}>New template</Button>
  if (!useCan('messages:read')) {
    return (
      <Empty icon={IconTemplate} title="Not in your plan">
        Message templates need a plan with messages.
      </Empty>
    )
  }
  return (
    <Card title="Message templates" flush actions={all.length > 0 && create}>
      <Loaded of={templates}>
        {() =>
          all.length ? (
            all.map((one) => <Row key={one.id} template={one} onEdit={() => setEdited(one)} />)
          ) : (
            <Empty icon={IconTemplate} title="No templates yet" action={create}>
              A template is a subject and a text with variables, for messages that you write often.
            </Empty>
          )
        }
      </Loaded>
      {edited && <Edit template={edited} onClose={() => setEdited(undefined)} />}
    </Card>
  )
}

/** A free name for a copy. */
const copyName = (name: string) => `${name.slice(0, 190)} (copy)`

function Row({ template, onEdit }: { template: MessageTemplate; onEdit: () => void }) {
  const { user } = useSession()
  const { nameOf } = useMembers()
  const may = useCan('messages:write')
  const isOwn = template.owner_id === user.user_id
  const manages = useManages()
  const duplicate = () =>
    post('/message-templates', {
      name: copyName(template.name),
      subject: template.subject,
      content: template.content,
    }).then(() => {
      refresh('message-templates')
      notify(`${copyName(template.name)} created`)
    }, notifyError)
  return (
    <div className="row-link" style={{ flexWrap: 'wrap' }}>
      <span className="grow cut" style={{ minWidth: 140 }}>
        <span className="strong">{template.name}</span> <span className="dim">{template.subject}</span>
      </span>
      <span className="dim">
        {template.shared ? `Shared by ${isOwn ? 'you' : nameOf(template.owner_id)}` : 'Only you'}
      </span>
      {may && (isOwn || manages) && (
        <Button size="compact-xs" variant="default" aria-label={`Edit ${template.name}`} onClick={onEdit}>
          Edit
        </Button>
      )}
      {may && (
        <Button size="compact-xs" variant="default" aria-label={`Duplicate ${template.name}`} onClick={duplicate}>
          Duplicate
        </Button>
      )}
      {may && (isOwn || manages) && (
        <Delete
          label={`Delete ${template.name}`}
          action="Delete template"
          refreshes={['message-templates']}
          onDelete={() => remove(`/message-templates/${template.id}`)}
        >
          {template.shared ? 'Nobody in the workspace can use it any more. ' : ''}Messages that were written with it
          stay.
        </Delete>
      )}
    </div>
  )
}

function Edit({ template, onClose }: { template: Partial<MessageTemplate>; onClose: () => void }) {
  const [name, setName] = useState(template.name ?? '')
  const [subject, setSubject] = useState(template.subject ?? '')
  const [content, setContent] = useState(template.content ?? '')
  const [isShared, setShared] = useState(template.shared ?? false)
  const [as, setAs] = useState<string | null>(null)
  const subjectField = useRef<HTMLInputElement>(null)
  const field = useRef<TextField>(null)
  // A variable goes where the cursor was last.
  const [isInSubject, setInSubject] = useState(false)
  const insert = (variable: string) => {
    if (isInSubject) setSubject(insertAt(subjectField.current, subject, placeholder(variable)))
    else field.current?.insert(placeholder(variable))
  }
  const save = async () => {
    const body = { name, subject: subject || null, content, shared: isShared }
    await (template.id ? put(`/message-templates/${template.id}`, body) : post('/message-templates', body))
    refresh('message-templates')
    notify('Template saved')
  }
  return (
    <Dialog
      title={template.id ? `Edit ${template.name}` : 'New template'}
      action="Save"
      size={640}
      onClose={onClose}
      onSave={save}
      fields={['name', 'subject', 'content']}
    >
      {(problem) => (
        <>
          <TextInput
            label={label('name')}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem('name')}
          />
          <SubjectInput
            ref={subjectField}
            label={label('subject')}
            isVariable={isMessageVariable}
            description="For emails only"
            value={subject}
            onFocus={() => setInSubject(true)}
            onChange={(event) => setSubject(event.currentTarget.value)}
            error={problem('subject')}
          />
          <div>
            <TextEditor
              handle={field}
              label="Text"
              isLabelShown
              required
              formats
              minRows={6}
              maxRows={16}
              isVariable={isMessageVariable}
              value={content}
              onFocus={() => setInSubject(false)}
              onChange={setContent}
              error={problem('content')}
            />
            <VariableMenu names={MESSAGE_VARIABLES} onPick={insert} />
          </div>
          <Switch
            label="Shared with all members"
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Group grow>
            <ContactPicker label="Preview as" size="sm" value={as} onPick={setAs} placeholder="A contact" />
          </Group>
          {as && <TemplatePreview contactId={as} subject={subject} content={content} />}
        </>
      )}
    </Dialog>
  )
}
