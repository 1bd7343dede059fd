import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconFileCv } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { address, remove } from '../api/client'
import { refresh, useGet } from '../api/query'
import type { ContactCv } from '../api/types'
import { ago, size } from '../fields/format'
import { useCan } from '../session'
import { ask } from '../shell/ask'
import { notify, notifyError, notifyWithUndo } from '../shell/notices'
import { Empty, Waiting } from '../shell/Page'
import { ErrorMessage } from '../shell/problems'
import { Drop, upload } from './Files'

/** The types that the server stores as a CV. */
const EXTENSIONS = ['pdf', 'doc', 'docx', 'odt', 'rtf', 'txt']
const KINDS = 'PDF, DOC, DOCX, ODT, RTF or TXT'

/** The server looks into the file, but takes any short file for a text. */
const isDocument = ({ name, type }: File) =>
  name.includes('.')
    ? EXTENSIONS.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
    : /^(text\/plain|application\/(pdf|rtf|msword|vnd\.))/.test(type)

/** The CV, shown if the browser can; dropping a file replaces it. */
export function Cv({ contactId }: { contactId: string }) {
  const path = `/contacts/${contactId}/cv` as const
  // A missing CV is null here, not an error.
  const cv = useGet(`/dashboard${path}`)
  const may = useCan('contacts:write')
  const again = () => refresh('cv', 'timeline')
  /** Reads the stored CV and returns a function that stores it again. */
  const kept = async (record: ContactCv) => {
    const blob = await (await fetch(address(`${path}/file`))).blob()
    return () => upload(path, new File([blob], record.filename)).then(again)
  }
  const put = async (files: (File | null)[]) => {
    const [file] = files
    if (!file) return
    const before = cv.data?.data
    try {
      if (files.length > 1) throw new Error('A contact has one CV. Choose one file; others belong to the files below.')
      if (!isDocument(file)) throw new Error(`“${file.name}” is not a document. Choose a ${KINDS} file.`)
      if (before) {
        const text = `“${file.name}” takes the place of “${before.filename}”.`
        if (!(await ask({ title: 'Replace the CV?', text, action: 'Replace CV' }))) return
      }
      const back = before && (await kept(before))
      await upload(path, file)
      again()
      if (back) notifyWithUndo('CV replaced', back)
      else notify('CV added')
    } catch (error) {
      notifyError(error)
    }
  }
  const drop = async (record: ContactCv) => {
    try {
      const back = await kept(record)
      await remove(path)
      again()
      notifyWithUndo('CV deleted', back)
    } catch (error) {
      notifyError(error)
    }
  }
  const button = (label: string) =>
    may && (
      <FileButton onChange={(file) => put([file])} accept={EXTENSIONS.map((one) => `.${one}`).join()}>
        {(props) => (
          <Button variant="default" {...props}>
            {label}
          </Button>
        )}
      </FileButton>
    )
  if (cv.isPending) return <Waiting />
  if (cv.error) return <ErrorMessage error={cv.error} />
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
        <Empty icon={IconFileCv} title="No CV" action={button('Choose a file')}>
          Drop a {KINDS} file here. Its text becomes searchable.
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
        }, notifyError)
    } else if (type === 'text/plain') {
      fetch(address(path))
        .then((response) => response.text())
        .then((content) => !gone && setText(content), notifyError)
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
