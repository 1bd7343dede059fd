import { Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { put } from '../api/client'
import { listOf } from '../api/lists'
import { refresh, useList } from '../api/query'
import type { Project, ProjectDetail } from '../api/types'
import { labelsOf } from '../fields/spec'
import { PROJECT_FIELDS } from '../generated/fields'
import { notify, notifyError } from '../shell/notices'
import { createMany } from '../table/bulk'
import { QuickAdd } from '../table/QuickAdd'

const label = labelsOf(PROJECT_FIELDS)

type Props = { project: ProjectDetail; opened: boolean; onClose: () => void }

/** Copies a project: client, location, text, owners, default sequence, and optionally its candidates. */
export function CloneProject({ project, opened, onClose }: Props) {
  const navigate = useNavigate()
  const templates = useList(opened ? '/project-templates' : null).data?.data ?? []
  const people = useRef(false)
  const finish = async (made: Project) => {
    try {
      if (project.default_sequence_id)
        await put(`/projects/${made.id}/sequences`, { sequence_id: project.default_sequence_id })
      if (people.current) {
        const chosen = { list: listOf(`/projects/${project.id}/entries`), params: {}, total: project.entries_count }
        await createMany(
          'pipeline-entries',
          chosen,
          (entry) => ({ project_id: made.id, contact_id: entry.contact_id }),
          () => {},
        )
      }
      notify(`Project “${made.name}” started`)
    } catch (error) {
      notifyError(error)
    } finally {
      refresh('projects')
      navigate({ to: '/projects/$id', params: { id: made.id } })
    }
  }
  return (
    <QuickAdd
      title={`Clone “${project.name}”`}
      path="/projects"
      opened={opened}
      onClose={onClose}
      onMade={(made) => finish(made)}
      initial={{ name: `${project.name} (copy)`, people: false }}
      body={(values) => {
        people.current = values.people === true
        return {
          name: values.name,
          client_company_id: project.client_company_id,
          client_name: project.client_name,
          location: project.location,
          description: project.description,
          owner_ids: project.owner_ids,
          // A deleted template can't be used any more.
          ...(templates.some((one) => one.id === project.template_id) ? { template_id: project.template_id } : {}),
        }
      }}
    >
      {(form) => (
        <>
          <TextInput label={label('name')} required data-autofocus {...form.text('name')} />
          <Checkbox
            label={`Its ${project.entries_count} candidates too, in the first stage`}
            disabled={project.entries_count === 0}
            checked={form.values.people === true}
            onChange={(event) => form.set('people', event.currentTarget.checked)}
          />
        </>
      )}
    </QuickAdd>
  )
}
