import { Select } from '@mantine/core'
import { listOf } from '../api/lists'
import type { ProjectTemplate } from '../api/types'
import { humanize, options } from '../fields/spec'
import { PROJECT_TEMPLATE_CHOICES } from '../generated/fields'
import { type Kind, StageSets } from './StageSets'

const CATEGORIES = options(...PROJECT_TEMPLATE_CHOICES['stages.system_category'])

const TEMPLATES: Kind<ProjectTemplate['stages'][number], string> = {
  noun: 'template',
  list: listOf('/project-templates'),
  sets: '/dashboard/project-templates',
  stages: '/dashboard/template-stages',
  refreshes: ['project-templates'],
  standard: 'New projects begin with it',
  removed: 'The template and its stages are deleted. Projects that were made from it stay as they are.',
  note: (stage) => humanize(stage.system_category),
  own: (stage) => stage.system_category ?? 'other',
  input: (category, set) => (
    <Select
      label="Category"
      allowDeselect={false}
      data={CATEGORIES}
      value={category}
      onChange={(next) => next && set(next)}
    />
  ),
  body: (category) => ({ system_category: category }),
}

export const Templates = () => <StageSets kind={TEMPLATES} />
