/** The sections of the settings, for their navigation and for the command palette. */
export type SectionKey = (typeof SECTIONS)[number]['key']

export const SECTIONS = [
  { key: 'profile', label: 'Profile and sessions', group: 'You', words: 'password name sign-ins account' },
  { key: 'api', label: 'API keys', group: 'API', words: 'tokens integrations' },
  { key: 'requests', label: 'Request log', group: 'API', words: 'calls errors' },
  { key: 'workspace', label: 'Workspace', group: 'Workspace', manage: true, words: 'name currency time zone company' },
  { key: 'members', label: 'Members', group: 'Workspace', manage: true, words: 'users team roles invite colleagues' },
  { key: 'plan', label: 'Plan and credits', group: 'Workspace', manage: true, words: 'billing usage' },
  { key: 'fields', label: 'Custom fields', group: 'Data', manage: true, words: 'columns properties' },
  { key: 'pipelines', label: 'Pipelines', group: 'Data', manage: true, words: 'stages deals' },
  { key: 'templates', label: 'Project templates', group: 'Data', manage: true, words: 'stages' },
  { key: 'reasons', label: 'Reasons', group: 'Data', manage: true, words: 'rejection lost' },
  { key: 'tags', label: 'Tags', group: 'Data', words: 'labels' },
  { key: 'erased', label: 'Erased addresses', group: 'Data', manage: true, words: 'privacy gdpr suppressed' },
  { key: 'accounts', label: 'Connected accounts', group: 'Outreach', words: 'mailbox email smtp imap network chat' },
  { key: 'messages', label: 'Message templates', group: 'Outreach', words: 'snippets canned replies email text' },
  { key: 'sending', label: 'Sending', group: 'Outreach', words: 'suppression list unsubscribe do not contact' },
  { key: 'system', label: 'System', group: 'Workspace', manage: true, words: 'version jobs storage health' },
] as const

/** The sections for a role. */
export const sectionsFor = (role: string) => SECTIONS.filter((one) => !('manage' in one) || role !== 'member')
