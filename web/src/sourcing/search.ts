import { type Answer, post } from '../api/client'
import type { DataOf } from '../api/paths'

type Network = DataOf<'/sourcing/network/search', 'post'>
type Advanced = DataOf<'/sourcing/advanced/profiles/search', 'post'>

/** The answer of the four searches; only some have a cursor or cost credits. */
export type Found = DataOf<'/sourcing/search', 'post'> & Partial<Network> & Partial<Advanced>

export type Profile = Found['profiles'][number]

export type Source = 'database' | 'contacts' | 'network' | 'advanced'

export type Asked = {
  source: Source
  job_titles: string[]
  companies: string[]
  locations: string[]
  places: Record<string, string>
  skills: string[]
  keywords: string[]
  min: number | string
  max: number | string
  account_id: string | null
  reveal: boolean
}

export const NOTHING: Asked = {
  source: 'contacts',
  job_titles: [],
  companies: [],
  locations: [],
  places: {},
  skills: [],
  keywords: [],
  min: '',
  max: '',
  account_id: null,
  reveal: false,
}

/** Empty filters are not sent. */
const some = (list: string[]) => (list.length > 0 ? list : undefined)
const including = (list: string[]) => (list.length > 0 ? { include: list } : undefined)

const years = ({ min, max }: Asked) =>
  min === '' && max === ''
    ? undefined
    : { min: min === '' ? undefined : Number(min), max: max === '' ? undefined : Number(max) }

/** Searches in the chosen source. */
export function search(asked: Asked, project: string, page: number, cursor: string | null): Promise<Answer<Found>> {
  switch (asked.source) {
    case 'advanced':
      return post('/sourcing/advanced/profiles/search', {
        job_title: some(asked.job_titles),
        company: some(asked.companies),
        location: some(asked.locations),
        skills: some(asked.skills),
        data_types: asked.reveal ? ['personal_email', 'work_email', 'phone'] : undefined,
        reveal_info: asked.reveal || undefined,
        page,
      })
    case 'network':
      return post('/sourcing/network/search', {
        project_id: project || undefined,
        // The form searches only after an account was chosen.
        account_id: asked.account_id ?? '',
        job_titles: some(asked.job_titles),
        location_ids: Object.keys(asked.places).length > 0 ? asked.places : undefined,
        years_experience: years(asked),
        boolean_query: asked.keywords.join(' AND ') || undefined,
        page_size: 25,
        cursor: cursor || undefined,
      })
    case 'contacts':
      return post('/sourcing/contacts/search', {
        project_id: project || undefined,
        job_titles: some(asked.job_titles),
        companies: some(asked.companies),
        locations: some(asked.locations),
        skills: some(asked.skills),
        keywords: some(asked.keywords),
        page,
        page_size: 25,
      })
    default:
      return post('/sourcing/search', {
        project_id: project,
        source_type: 'database',
        page,
        page_size: 25,
        filters: {
          job_titles: including(asked.job_titles),
          companies: including(asked.companies),
          locations: asked.locations.length > 0 ? { cities: asked.locations } : undefined,
          skills: including(asked.skills),
          keywords: including(asked.keywords),
          years_experience: years(asked),
        },
      })
  }
}
