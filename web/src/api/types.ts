import type { components } from './schema'

type Schemas = components['schemas']
export type Contact = Schemas['Contact']
export type Company = Schemas['Company']
export type Deal = Schemas['Deal']
export type DealWhole = Schemas['DealWhole']
export type DealPipeline = Schemas['DealPipeline']
export type Project = Schemas['Project']
export type ProjectDetail = Schemas['ProjectDetail']
export type ProjectTemplate = Schemas['ProjectTemplate']
export type ProjectEntry = Schemas['ProjectEntry']
export type Entry = Schemas['Entry']
export type Note = Schemas['Note']
export type Task = Schemas['Task']
export type Sequence = Schemas['Sequence']
export type WholeSequence = Schemas['WholeSequence']
export type Step = WholeSequence['steps'][number]
export type Enrollment = Schemas['Enrollment']
export type Explanation = Schemas['Explanation']
export type StepStats = Schemas['StepStats']
export type Conversation = Schemas['Conversation']
export type Message = Schemas['Message']
export type ConnectedAccount = Schemas['ConnectedAccount']
export type Suppression = Schemas['Suppression']
export type Tag = Schemas['Tag']
export type CustomField = Schemas['CustomField']
export type Import = Schemas['Import']
export type ImportPreview = Schemas['ImportPreview']
export type Reason = Schemas['Reason']
export type Member = Schemas['Member']
export type Event = Schemas['Event']
export type File = Schemas['File']
export type ContactCv = Schemas['ContactCv']
export type Duplicates = Schemas['Duplicates']
export type Merge = Schemas['Merge']
export type EnrollResult = Schemas['EnrollResult']
export type BulkResults = Schemas['BulkResults']
export type NetworkJobs = Schemas['NetworkJobs']
export type Me = Schemas['Me']

/** The signed-in user, as the dashboard's own API describes them. */
export type Session = {
  user: Member
  workspace: Me['workspace']
  role: Member['role']
  scopes: string[]
  features: string[]
  workspaces: { id: string; name: string }[]
}

export type View = {
  id: string
  name: string
  collection: string
  shared: boolean
  owner_id?: string | null
  state: Record<string, string | string[]>
}
