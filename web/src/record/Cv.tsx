import { Button, FileButton, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { address, remove } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { ContactCv } from '../api/types'
import { ago, size } from '../fields/format'
import { useCan } from '../session'
import { Empty, Waiting } from '../shell/Page'
import { done, fail, undoable, Words } from '../shell/tell'
import { Drop, upload } from './Files'

/** The CV, shown if the browser can; dropping a file replaces it. */
export function Cv({ contactId }: { contactId: string }) {
  const path = `/contacts/${contactId}/cv` as const
  // A missing CV is null here, not an error.
  const cv = useGet(`/dashboard${path}`)
  const may = useCan('contacts:write')
  const put = (files: (File | null)[]) => {
    const [file] = files
    if (!file) return
    upload(path, file).then(() => {
      refresh('cv', 'timeline')
      done(`${file.name} is the CV now`)
    }, fail)
  }
  const drop = async (record: ContactCv) => {
    try {
      const kept = await (await fetch(address(`${path}/file`))).blob()
      await remove(path)
      refresh('cv', 'timeline')
      undoable('CV deleted', () =>
        upload(path, new File([kept], record.filename)).then(() => refresh('cv', 'timeline')),
      )
    } catch (error) {
      fail(error)
    }
  }
  const button = (label: string) =>
    may && (
      <FileButton onChange={(file) => put([file])} accept=".pdf,.doc,.docx,.odt,.rtf,.txt">
        {(props) => (
          <Button variant="default" {...props}>
            {label}
          </Button>
        )}
      </FileButton>
    )
  if (cv.isPending) return <Waiting />
  if (cv.error) return <Words error={cv.error} />
  const record = cv.data?.data
  return (
    <Drop onFiles={put}>
      {record ? (
        <>
          <Group mb="xs" gap="xs">
            <Text className="grow cut">
              <a href={address(`${path}/file`)} download={record.filename}>
                {record.filename}
              </a>{' '}
              <span className="dim">
                {size(record.size)}, {ago(record.updated_at)}
              </span>
            </Text>
            {button('Replace')}
            {may && (
              <Button variant="default" onClick={() => drop(record)}>
                Delete
              </Button>
            )}
          </Group>
          <Shown path={`${path}/file`} type={record.content_type} stamp={record.updated_at} />
        </>
      ) : (
        <Empty title="No CV" action={button('Choose a file')}>
          Drop a PDF, Word, ODT, RTF or text file here. Its text becomes searchable.
        </Empty>
      )}
    </Drop>
  )
}

/** The server sends documents as attachments, so they are shown from memory. */
function Shown({ path, type, stamp }: { path: string; type: string; stamp: string }) {
  const [url, setUrl] = useState<string>()
  const [text, setText] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new stamp is a new document
  useEffect(() => {
    let made = ''
    let gone = false
    if (type === 'application/pdf') {
      fetch(address(path))
        .then((response) => response.blob())
        .then((blob) => {
          if (gone) return
          made = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
          setUrl(made)
        }, fail)
    } else if (type === 'text/plain') {
      fetch(address(path))
        .then((response) => response.text())
        .then((content) => !gone && setText(content), fail)
    }
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
      setUrl(undefined)
      setText(undefined)
    }
  }, [path, type, stamp])
  if (url)
    return (
      <iframe
        src={`${url}#navpanes=0`}
        title="CV"
        style={{ width: '100%', height: '72vh', border: '1px solid var(--r-line)', borderRadius: 8 }}
      />
    )
  if (text !== undefined) {
    return (
      <pre className="card" style={{ padding: 16, whiteSpace: 'pre-wrap', margin: 0, overflowWrap: 'anywhere' }}>
        {text}
      </pre>
    )
  }
  return type === 'application/pdf' || type === 'text/plain' ? null : (
    <Text c="dimmed">This kind of document can’t be shown here; download it to read it.</Text>
  )
}
