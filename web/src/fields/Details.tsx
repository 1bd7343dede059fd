import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../api/client'
import type { Changeable } from '../api/paths'
import { save } from '../api/query'
import { OUTSIDE } from '../shell/Linked'
import { notifyError } from '../shell/notices'
import { isText, recordsOf, textOf } from '../values'
import classes from './details.module.css'
import { Editor } from './Editor'
import { errorText } from './errorText'
import { Show } from './Show'
import { bodyOf, type Field, memberOf, type Row } from './spec'

/** The addresses in a value that can be written to, called or opened. */
function linksOf(field: Field, value: unknown): { text: string; href: string }[] {
  if (field.type === 'emails' || field.type === 'phones') {
    const isMail = field.type === 'emails'
    return recordsOf(value).flatMap((one) => {
      const text = textOf(isMail ? one.email : one.phone)
      return text ? { text, href: isMail ? `mailto:${text}` : `tel:${text.replace(/[^\d+]/g, '')}` } : []
    })
  }
  if (!isText(value) || !value || !(field.type === 'url' || field.key === 'domain')) return []
  return [
    { text: value.replace(/^https?:\/\/(www\.)?/, ''), href: /^https?:\/\//.test(value) ? value : `https://${value}` },
  ]
}

type RecordProps = { path: Changeable; row: Row; locked?: boolean }

/** The members of a record, each edited in place. */
export function Details({ path, row, fields, locked }: RecordProps & { fields: Field[] }) {
  return (
    <dl className={classes.list}>
      {fields.map((field) => (
        <Line key={field.key} path={path} row={row} field={field} locked={locked} />
      ))}
    </dl>
  )
}

function Line({ path, row, field, locked }: RecordProps & { field: Field }) {
  const [editing, setEditing] = useState(false)
  const [error, setError] = useState<string>()
  const value = memberOf(row, field.key)
  const finish = async (next: unknown) => {
    if (JSON.stringify(next ?? null) === JSON.stringify(value ?? null)) {
      setEditing(false)
      return
    }
    try {
      setEditing(false)
      setError(undefined)
      await save(path, row.id, bodyOf(field.key, next))
    } catch (problem) {
      setError(errorText(problem))
      if (!(problem instanceof ApiError) || problem.status !== 400) notifyError(problem)
    }
  }
  const links = linksOf(field, value)
  const shown = <Show row={row} field={field} />
  return (
    <>
      <dt className={classes.label}>{field.label}</dt>
      <dd className={classes.value}>
        {editing ? (
          <Editor field={field} value={value} onDone={finish} onCancel={() => setEditing(false)} />
        ) : links.length > 0 ? (
          <span className={classes.linked}>
            <span className="grow">
              {links.map(({ text, href }) => (
                <a key={href} href={href} {...(/^https?:/.test(href) && OUTSIDE)}>
                  {text}
                </a>
              ))}
            </span>
            {!(field.readonly || locked) && (
              <ActionIcon aria-label={`Edit ${field.label}`} title="Edit" onClick={() => setEditing(true)}>
                <IconPencil size={14} />
              </ActionIcon>
            )}
          </span>
        ) : field.readonly || locked ? (
          <span className={classes.plain}>{shown}</span>
        ) : (
          <UnstyledButton
            className={classes.button}
            onClick={() => setEditing(true)}
            aria-label={`Edit ${field.label}`}
            title="Edit"
          >
            {shown ?? null}
            {(value === null ||
              value === undefined ||
              value === '' ||
              (Array.isArray(value) && value.length === 0)) && <span className="dim">Add</span>}
          </UnstyledButton>
        )}
        {error && (
          <div role="alert" className={classes.error}>
            {error}
          </div>
        )}
      </dd>
    </>
  )
}
